import { runHostScript } from './lib/runHostScript.mjs';

runHostScript('runTests.ts');
