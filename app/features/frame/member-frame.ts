import { AppNotices } from './app-notices.tsx';
import { MemberBar } from './member-bar.tsx';
import { MemberNav } from './member-nav.tsx';

/** The parts of the frame that read the device's database, so they come with the rest of the app, as one chunk. */
export const memberFrame = { AppNotices, MemberBar, MemberNav };

export type MemberFrame = typeof memberFrame;
