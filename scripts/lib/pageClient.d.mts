export function bundlePageClient(root: string): Promise<{ readonly code: string }>;
