export declare function stateOfSources(folder: string): string;
export declare function staleness(folder: string, state: string): string | undefined;
export declare function buildIfStale(): void;
