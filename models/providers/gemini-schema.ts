// JSON schemas as Gemini takes them.

type Schema = Readonly<Record<string, unknown>>;

/** What Gemini knows of JSON schema, of what our answers use; it refuses keywords that it does not know. */
const keywords = ['type', 'description', 'enum', 'items', 'minimum', 'maximum', 'minItems', 'maxItems', 'required'];

/** Keeps what Gemini knows, and has properties written in their order: earlier models wrote them by the alphabet. */
export function geminiSchema(schema: Schema): Schema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([name]) => keywords.includes(name)));
  if (isSchema(kept['items'])) kept['items'] = geminiSchema(kept['items']);
  if ('const' in schema) kept['enum'] = [schema['const']];
  const properties = schema['properties'];
  if (!isSchema(properties)) return kept;
  return {
    ...kept,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        isSchema(property) ? geminiSchema(property) : property,
      ]),
    ),
    propertyOrdering: Object.keys(properties),
  };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
