export const findTradiesTitle = 'Find Tradies';
export const findTradiesLead = 'Businesses across New Zealand, each signed up with its NZBN.';

/** Id of the filters, and the fragment of an address that opens them on a phone. */
export const filtersId = 'tradie-filters';
