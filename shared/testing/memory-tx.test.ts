import { makeInterest, makeJob } from './make.ts';
import { emptyMemoryRows, memoryTx } from './memory-tx.ts';
import { describeTx } from './tx-contract.ts';

describeTx('memory', async () => {
  const tx = memoryTx(emptyMemoryRows());
  return { transact: (work) => work(tx), makeJob, makeInterest };
});
