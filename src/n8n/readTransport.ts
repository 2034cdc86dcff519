import type { ConnectionSettings, NamedValue } from '../call/connectionSettings';
import type { PlainObject } from '../json/plainObject';
import { type Result, succeed } from '../outcome/failure';
import { refuse, rows, text } from './connectionFields';

type Transport = ConnectionSettings['transport'];

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads the transport's own fields; values are taken literally, names of headers are trimmed (C1, U1 to U3). */
export function readTransport(data: PlainObject): Result<Transport> {
	switch (data['transport'] ?? 'streamableHttp') {
		case 'streamableHttp':
			return readHttp(data);
		case 'stdio':
			return readStdio(data);
		default:
			return refuse('Transport is not known', 'Choose Streamable HTTP or stdio.');
	}
}

function readHttp(data: PlainObject): Result<Transport> {
	const endpoint = text(data, 'endpoint').trim();
	if (endpoint === '') return refuse('Endpoint is empty', 'Enter the URL of the MCP server.');
	const url = URL.parse(endpoint);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) {
		return refuse(
			'Endpoint is not an http or https URL',
			'Enter the whole URL, such as https://mcp.example.com/mcp.',
		);
	}
	if (url.username !== '' || url.password !== '') {
		return refuse(
			'Endpoint holds a user name or password',
			'Put credentials into Bearer Token or Headers, where they are masked.',
		);
	}
	const headers = rows(data, 'headers', 'header').map((row) => ({
		name: text(row, 'name').trim(),
		value: text(row, 'value'),
	}));
	const badHeader = headers.find(({ name }) => !HEADER_NAME.test(name));
	if (badHeader !== undefined) {
		return refuse(
			`Headers has a row whose name HTTP cannot carry: ${quoteName(badHeader.name)}`,
			'Use letters, digits and hyphens; the colon is not part of the name.',
		);
	}
	const badValue = headers.find(({ value }) => !HEADER_VALUE.test(value));
	if (badValue !== undefined) {
		return refuse(
			`the value of the header ${badValue.name} has a character that HTTP cannot carry`,
			'Remove line breaks and characters outside Latin-1 from it.',
		);
	}
	const bearerToken = text(data, 'bearerToken');
	if (bearerToken !== '' && !HEADER_VALUE.test(bearerToken)) {
		return refuse(
			'Bearer Token has a character that HTTP cannot carry',
			'Enter the token alone, without line breaks.',
		);
	}
	if (bearerToken !== '' && headers.some(({ name }) => name.toLowerCase() === 'authorization')) {
		return refuse('Bearer Token and an Authorization header are both given', 'Keep one of them.');
	}
	const caCertificate = text(data, 'caCertificate').trim();
	if (caCertificate !== '' && !caCertificate.includes('-----BEGIN CERTIFICATE-----')) {
		return refuse(
			'CA Certificate is not a PEM certificate',
			'Paste the text from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.',
		);
	}
	return succeed({
		kind: 'streamableHttp',
		endpoint: url.href,
		...(bearerToken === '' ? {} : { bearerToken }),
		headers,
		...(caCertificate === '' ? {} : { caCertificate }),
		ignoreSslIssues: data['ignoreSslIssues'] === true,
	});
}

function readStdio(data: PlainObject): Result<Transport> {
	const command = text(data, 'command');
	if (command.trim() === '') {
		return refuse('Command is empty', 'Enter the program to run, such as npx.');
	}
	const argumentValues = rows(data, 'arguments', 'argument').map((row) => text(row, 'value'));
	const environment: readonly NamedValue[] = rows(data, 'environment', 'variable').map((row) => ({
		name: text(row, 'name').trim(),
		value: text(row, 'value'),
	}));
	const badName = environment.find(({ name }) => !/^[^=\0]+$/.test(name));
	if (badName !== undefined) {
		return refuse(
			`Environment has a row whose name cannot be set: ${quoteName(badName.name)}`,
			'Give each row a name without `=`; the value goes into its own field.',
		);
	}
	const workingDirectory = text(data, 'workingDirectory');
	const withNul = [
		command,
		workingDirectory,
		...argumentValues,
		...environment.map((e) => e.value),
	];
	if (withNul.some((value) => value.includes('\0'))) {
		return refuse('a stdio field holds a NUL character', 'Remove it.');
	}
	return succeed({
		kind: 'stdio',
		command,
		arguments: argumentValues,
		environment,
		...(workingDirectory === '' ? {} : { workingDirectory }),
	});
}

/** The row's name as far as it is one: what follows may be a secret that was entered into the wrong field (U2). */
const quoteName = (name: string): string =>
	JSON.stringify((/^[^:=\s]*/.exec(name)?.[0] ?? '').slice(0, 60));
