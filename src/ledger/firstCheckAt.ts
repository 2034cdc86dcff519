import type { OpeningBatch } from './ledger';

const HOUR_MS = 60 * 60 * 1000;

/**
 * When a batch's execution is looked for first. Not at once: it is registered before its wait begins, and until the
 * execution waits n8n may have no data of it, as if it were gone.
 */
export const firstCheckAt = ({ openedAt }: Pick<OpeningBatch, 'openedAt'>): Date =>
	new Date(openedAt.getTime() + HOUR_MS);
