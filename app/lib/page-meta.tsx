/** What a link to this page shows where it is shared. React puts these into the head, and takes them out again. */
export function PageMeta({ title, description }: { readonly title: string; readonly description: string }) {
  return (
    <>
      <meta property="og:title" content={`${title} · Dwang`} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content="website" />
    </>
  );
}
