/* The layouts of Find Jobs: as in browse-jobs.module.css and job-list.module.css. */

/** Room for the list and the job beside it. */
export const desktop = '(min-width: 60rem)';
/** With the height for each of them to scroll. */
export const panes = '(min-width: 60rem) and (min-height: 45rem)';
/** A tablet: as wide as two phones, and too narrow for a job beside the list. */
export const twoColumns = '(min-width: 40rem) and (max-width: 59.99rem)';
