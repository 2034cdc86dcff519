import { runHostScript } from './lib/runHostScript.mjs';

runHostScript('bench.ts');
