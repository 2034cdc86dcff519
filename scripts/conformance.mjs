import { runHostScript } from './lib/runHostScript.mjs';

runHostScript('conformance.ts');
