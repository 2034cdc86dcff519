import type { Benchmark } from './benchmark.ts';
import { calls } from './calls.ts';
import { policy } from './policy.ts';
import { resume } from './resume.ts';

/** Every benchmark, in the order in which they run when none is named. */
export const benchmarks: readonly Benchmark[] = [resume, policy, calls];
