import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { contactDetailsIn, withoutContactDetails, type ContactKind } from '../../lib/contact-details.ts';
import { listed } from '../../words/listed.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import type { PostJobFields } from './job-fields.ts';

type Texts = Pick<PostJobFields, 'title' | 'description'>;

type ContactDetailsNoticeProps = Texts & { readonly onChange: (changes: Partial<Texts>) => void };

const kindWords: Readonly<Record<ContactKind, string>> = {
  phone: 'a phone number',
  email: 'an email address',
  address: 'a street address',
};

/** The pressed button is gone with the notice. */
const backToText = () => document.getElementById('post-description')?.focus();

/**
 * Every tradie could read these; here the homeowner calls. What is left in after having been named is the person's own
 * choice.
 */
export function ContactDetailsNotice({ title, description, onChange }: ContactDetailsNoticeProps) {
  const { toasts } = useApp();
  const [leftIn, setLeftIn] = useState<readonly string[]>([]);
  const latest = useRef<Texts>({ title, description });
  useEffect(() => void (latest.current = { title, description }), [title, description]);
  const found = { title: contactDetailsIn(title), description: contactDetailsIn(description) };
  const all = [...found.title, ...found.description].filter(({ text }) => !leftIn.includes(text));
  if (all.length === 0) return null;
  const kinds = listed([...new Set(all.map(({ kind }) => kindWords[kind]))]);
  const where = found.title.length === 0 ? 'description' : found.description.length === 0 ? 'title' : 'text';
  const it = all.length === 1 ? 'it' : 'them';
  const removeDetails = () => {
    const rest = {
      title: withoutContactDetails(title, found.title),
      description: withoutContactDetails(description, found.description),
    };
    // What was typed meanwhile is not taken back with it.
    const putBack = () => {
      const now = latest.current;
      if (now.title === rest.title && now.description === rest.description) onChange({ title, description });
    };
    onChange(rest);
    toasts.show({
      title: 'Taken out',
      description: all.map(({ text }) => text).join(', '),
      undo: putBack,
    });
    backToText();
  };
  const leave = () => {
    setLeftIn([...leftIn, ...all.map(({ text }) => text)]);
    backToText();
  };
  return (
    <Banner
      tone="warn"
      title={`There is ${kinds} in your ${where}`}
      actions={
        <>
          <Button onPress={removeDetails}>Take {it} out</Button>
          <Button variant="plain" onPress={leave}>
            Leave {it} in
          </Button>
        </>
      }
    >
      <p>{all.map(({ text }) => `“${text}”`).join(', ')}</p>
      <p>Tradies never see your name, email or phone number. You see theirs, and call the one you like.</p>
    </Banner>
  );
}
