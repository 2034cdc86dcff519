import { runHostScript } from './lib/runHostScript.mjs';

runHostScript('cuts.ts');
