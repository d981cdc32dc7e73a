import { configure } from '@testing-library/dom';

// On a busy machine a screen appears late: "not yet" must not fail as "not at all".
configure({ asyncUtilTimeout: 30_000 });
