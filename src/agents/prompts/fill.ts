/** The placeholder names of a template, as a type: a prompt that lacks a value does not compile. */
type Placeholders<Template extends string> = Template extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** One value for every placeholder of a template, and no other. */
export type Values<Template extends string> = { readonly [Name in Placeholders<Template>]: string };

/**
 * Puts the values into the `{{name}}` places of a template, in one literal pass (rule X5): what a value contains
 * (`$&`, `{{own}}`, markup) stays data and is never looked at again. Nothing is escaped.
 *
 * @throws TypeError when a placeholder has no value, which only an untyped caller can cause.
 */
export function fill<Template extends string>(template: Template, values: Values<Template>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const value = Object.hasOwn(values, name) ? (values as Record<string, string>)[name] : undefined;
    if (value === undefined) throw new TypeError(`The prompt has a place "${name}" and no value was given for it.`);
    return value;
  });
}
