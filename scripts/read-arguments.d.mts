interface Option {
  type: 'string' | 'boolean';
  default?: string | boolean;
  isNumber?: boolean;
}
type Value<O extends Option> =
  | (O['type'] extends 'string' ? string : boolean)
  | (O extends { default: string | boolean } ? never : undefined);

export declare function readArguments<const O extends Record<string, Option> = Record<never, never>>(
  use: string,
  options?: O,
  settings?: { allowPositionals?: boolean; args?: readonly string[] },
): { values: { [Name in keyof O]: Value<O[Name]> }; positionals: string[] };
export declare function refuse(use: string, why: string): never;
