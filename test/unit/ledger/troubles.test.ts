import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { isConnectionLoss, postgresTrouble } from '../../../src/ledger/postgresTrouble';
import { isBusy, sqliteTrouble } from '../../../src/ledger/sqliteTrouble';

const SECRET = 'correct-horse';

describe('what an error of Postgres means', () => {
	it.each([
		['25006', 'takes no changes', false],
		['3D000', 'no such database', false],
		['3F000', 'no such schema', false],
		['42501', 'lacks the right', false],
		['28P01', 'refused the user or the password', false],
		['28000', 'refused the user or the password', false],
		['53100', 'disk of the database is full', false],
		['53300', 'no connection left', false],
		['53200', 'lacks memory, disk or connections', false],
		['55P03', 'another process holds it', false],
		['57014', 'did not answer in time', false],
		['57P01', 'starting or stopping', true],
		['57P03', 'starting or stopping', true],
		['08006', 'the connection failed', true],
		['XX001', 'is damaged', false],
		['42P01', 'SQLSTATE 42P01', false],
	])('%s is "%s"', (code, problem, lost) => {
		const error = new DatabaseError(SECRET, 0, 'error');
		error.code = code;
		const trouble = postgresTrouble(error);
		expect(trouble.problem).toContain(problem);
		expect(JSON.stringify(trouble)).not.toContain(SECRET);
		expect(isConnectionLoss(error)).toBe(lost);
	});

	it.each([
		[
			Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' }),
			'cannot be reached (ECONNREFUSED)',
		],
		[
			Object.assign(new Error(SECRET), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
			'cannot be reached (SELF_SIGNED_CERT_IN_CHAIN)',
		],
		[new Error(SECRET), 'cannot be reached'],
		['thrown', 'cannot be reached'],
	])('%s counts as a lost connection, told by its code alone (I9)', (error, problem) => {
		expect(postgresTrouble(error).problem).toBe(problem);
		expect(isConnectionLoss(error)).toBe(true);
	});
});

describe('what an error of SQLite means', () => {
	it.each([
		[5, 'held by another process', true],
		[261, 'held by another process', true],
		[517, 'held by another process', true],
		[15, 'held by other processes', true],
		[8, 'read-only', false],
		[1032, 'read-only', false],
		[10, 'the disk reported an error', false],
		[11, 'is damaged', false],
		[13, 'the disk is full', false],
		[14, 'cannot be opened as a file', false],
		[26, 'not a SQLite database', false],
		[1, 'SQLite’s code 1', false],
	])('result code %i is "%s"', (errcode, problem, busy) => {
		const error = Object.assign(new Error(SECRET), { code: 'ERR_SQLITE_ERROR', errcode });
		expect(sqliteTrouble(error).problem.replace("'", '’')).toContain(problem);
		expect(isBusy(error)).toBe(busy);
	});

	it.each([
		['ENOENT', 'its folder does not exist'],
		['EACCES', 'no right to the file or its folder'],
		['EROFS', 'its disk is read-only'],
		['ENOSPC', 'the disk is full'],
		['ERR_UNKNOWN_BUILTIN_MODULE', 'a Node.js with SQLite'],
		['EMFILE', 'does not work (EMFILE)'],
	])('%s is "%s"', (code, problem) => {
		const error = Object.assign(new Error(SECRET), { code });
		expect(sqliteTrouble(error).problem).toContain(problem);
		expect(isBusy(error)).toBe(false);
	});
});
