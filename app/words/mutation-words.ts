import type { OutboxEntry } from '../db/person-db.ts';

type Entry = Pick<OutboxEntry, 'name' | 'args'>;

const quoted = (title: unknown) => (typeof title === 'string' && title !== '' ? ` “${title}”` : '');

/** What a waiting mutation is, in the person's words: 'New job “Fix the gate”'. `jobTitle`: of the job it is about, where known. */
export function mutationWords(entry: Entry, jobTitle?: string): string {
  const about = jobTitle === undefined ? 'a job' : `“${jobTitle}”`;
  const args = entry.args as { title?: unknown; set?: { title?: unknown } };
  switch (entry.name) {
    case 'job.post':
      return `New job${quoted(args.title)}`;
    case 'job.edit':
      return jobTitle === undefined ? `Changes to job${quoted(args.set?.title)}` : `Changes to ${about}`;
    case 'job.close':
      return `Closing ${about}`;
    case 'photo.attach':
      return `A photo for ${about}`;
    case 'photo.remove':
      return 'Removing a photo';
    case 'interest.express':
      return `Your interest in ${about}`;
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
