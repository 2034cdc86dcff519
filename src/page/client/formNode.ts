/** A value to choose, and how it is shown. */
export interface Option {
	readonly value: unknown;
	readonly label: string;
}

/** What a value without parts is entered with. */
export type Leaf =
	| {
			readonly kind: 'text' | 'long' | 'email' | 'url' | 'password' | 'date' | 'time' | 'date-time';
	  }
	| {
			readonly kind: 'number' | 'integer';
			readonly minimum?: number;
			readonly maximum?: number;
			readonly step?: number;
	  }
	/** One of several values, or any number of them. */
	| { readonly kind: 'choice' | 'choices'; readonly options: readonly Option[] }
	/** The one value that the schema allows. */
	| { readonly kind: 'fixed'; readonly value: unknown }
	/** What no form can express is written as JSON. */
	| { readonly kind: 'json'; readonly expects: 'object' | 'array' | 'any' };

/**
 * A schema as the form library gets it: structure by the library's keywords, and every value without parts a
 * "string" with a `leaf`. Property names are aliases; nothing else of the server's schema is left in it.
 */
export interface FormNode {
	readonly type?: 'object' | 'array' | 'string';
	readonly title?: string;
	readonly description?: string;
	readonly leaf?: Leaf;
	/** The value to begin with, names as aliases. Not `default`: the library would put it back when it is cleared. */
	readonly proposal?: unknown;
	readonly nullable?: true;
	/** One of any number of entries, named by its number. */
	readonly numbered?: true;
	/** The property may be absent, so its parts are shown on request. */
	readonly optional?: true;
	/** Number of the server's schema that a value is tested against, for conditions and alternatives. */
	readonly test?: number;
	readonly $ref?: string;
	readonly $defs?: Readonly<Record<string, FormNode>>;
	readonly properties?: Readonly<Record<string, FormNode>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: FormNode | false;
	readonly items?: FormNode | readonly FormNode[];
	readonly additionalItems?: FormNode | false;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly oneOf?: readonly FormNode[];
	readonly anyOf?: readonly FormNode[];
	readonly allOf?: readonly FormNode[];
	readonly if?: FormNode;
	readonly then?: FormNode;
	readonly else?: FormNode;
	readonly dependencies?: Readonly<Record<string, FormNode | readonly string[]>>;
}
