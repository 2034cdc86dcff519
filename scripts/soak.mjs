import { runHostScript } from './lib/runHostScript.mjs';

runHostScript('soak.ts');
