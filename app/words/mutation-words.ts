import type { OutboxEntry } from '../db/person-db.ts';

type Entry = Pick<OutboxEntry, 'name' | 'args'>;

const quoted = (title: unknown) => (typeof title === 'string' && title !== '' ? ` “${title}”` : '');

/** What a waiting mutation is, in the person's words: 'Job “Fix the gate”'. */
export function mutationWords(entry: Entry): string {
  const args = entry.args as { title?: unknown; set?: { title?: unknown } };
  switch (entry.name) {
    case 'job.post':
      return `New job${quoted(args.title)}`;
    case 'job.edit':
      return `Changes to job${quoted(args.set?.title)}`;
    case 'job.close':
      return 'Closing a job';
    case 'photo.attach':
      return 'A photo for a job';
    case 'photo.remove':
      return 'Removing a photo';
    case 'interest.express':
      return 'Your interest in a job';
    case 'interest.tick':
      return 'Your “contacted” tick';
    case 'profile.edit':
      return 'Changes to your profile';
    default:
      return 'A change';
  }
}

/** All the text that somebody typed into it, for Copy text: nothing written is ever out of reach. */
export function mutationText(entry: Entry): string {
  const args = entry.args as Record<string, unknown>;
  const fields = { ...args, ...(args['set'] as Record<string, unknown> | undefined) };
  const typed = ['title', 'description', 'note', 'businessName', 'businessAddress', 'contactPhone']
    .map((field) => fields[field])
    .filter((value): value is string => typeof value === 'string' && value !== '');
  return typed.join('\n\n');
}
