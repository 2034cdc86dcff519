/** What a user does or meets, and the sentence that comes of it, as n8n shows it. */
export type Situations = Readonly<Record<string, () => string | Promise<string>>>;
