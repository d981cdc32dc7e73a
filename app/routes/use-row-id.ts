import { useParams } from '@tanstack/react-router';

/** The id in a page's address, as rows have it: an address that was typed or changed on its way may be in capitals. */
export const useRowId = (from: '/gated/job/$id' | '/gated/edit-job/$id' | '/tradie/$id'): string =>
  useParams({ from }).id.toLowerCase();
