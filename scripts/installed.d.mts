interface Lockfile {
  packages: Record<string, { version?: string; link?: boolean; optional?: boolean }>;
}
export declare const root: string;
export declare function missingPackages(wanted: Lockfile, installed: Lockfile | undefined): string[];
export declare function installIfStale(): void;
export declare function runtime(): string;
export declare function toolEnv(): NodeJS.ProcessEnv;
