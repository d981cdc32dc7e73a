import type { EntitySchema } from '@mikro-orm/core';

/** Every MikroORM entity there is. */
export const entities: EntitySchema[] = [];
