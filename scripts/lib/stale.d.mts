/** Whether `<root>/dist` is missing, or older than anything it is built from. */
export declare function distIsStale(root: string): boolean;
