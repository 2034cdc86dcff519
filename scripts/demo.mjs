import { runHostScript } from './lib/runHostScript.mjs';

runHostScript('demo.ts');
