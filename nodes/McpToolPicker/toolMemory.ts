import type { RememberedTools } from '../../src/ledger/ledger';
import type { Result } from '../../src/outcome/failure';
import { indexByName } from '../../src/policy/describeTool';
import { fingerprintText } from '../../src/policy/fingerprint';
import type { OpenedConnection } from '../shared/openConnection';
import { openLedger } from '../shared/openLedger';

/** What the ledger knows of a server's tools, by its name, as one run of the picker sees it (G4). */
export interface ToolMemory {
	/** The tools as they were before the run, the same for all its items; undefined when none were remembered. */
	readonly recall: () => Promise<Result<RememberedTools | undefined>>;
	/** Remembers the present tools, all of them, from now on. */
	readonly remember: () => Promise<Result<void>>;
}

/** Opens no ledger before it is asked. Recall comes first: what this run remembers is not what it recalls. */
export function toolMemory({ serverName, tools }: OpenedConnection): ToolMemory {
	let recalled: Promise<Result<RememberedTools | undefined>> | undefined;
	let remembered: Promise<Result<void>> | undefined;
	const recall = async () => {
		const ledger = await openLedger();
		return ledger.ok ? await ledger.value.recallTools(serverName) : ledger;
	};
	const remember = async () => {
		const ledger = await openLedger();
		if (!ledger.ok) return ledger;
		return await ledger.value.rememberTools({
			serverName,
			tools: [...indexByName(tools).values()].map(({ tool }) => ({
				name: tool.name,
				text: fingerprintText(tool),
			})),
			at: new Date(),
		});
	};
	return {
		recall: () => (recalled ??= recall()),
		remember: () => (remembered ??= remember()),
	};
}
