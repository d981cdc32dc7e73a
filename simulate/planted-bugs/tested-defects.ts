import { testedAppDefects } from './tested-app-defects.ts';
import { testedServerDefects } from './tested-server-defects.ts';
import type { TestedDefect } from './defect.ts';

export const testedDefects: readonly TestedDefect[] = [...testedServerDefects, ...testedAppDefects];
