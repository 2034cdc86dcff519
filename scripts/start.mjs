import { runHostScript } from './lib/runHostScript.mjs';

runHostScript('start.ts');
