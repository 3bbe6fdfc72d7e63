package io.sluice.testkit;

/**
 * Everything that an engine does on a store, in real time. The whole test of a store is one class:
 *
 * {@snippet :
 * class MemoryEngineContractTest implements EngineContract {
 *   @Override
 *   public EngineLab lab() {
 *     return EngineLab.of(MemoryStore.create());
 *   }
 * }
 * }
 */
public interface EngineContract
    extends HandlingContract,
        RetryingContract,
        TimeoutContract,
        CancellingContract,
        SlotsContract,
        BatchContract,
        CancelBatchContract,
        OrderContract,
        FairnessContract,
        CrowdContract,
        FlowContract,
        BreakingContract,
        EnqueueContract,
        PressureContract,
        TellingContract,
        LifecycleContract,
        OutageContract,
        StuckOutcomeContract,
        LostWorkerContract,
        RemoteClaimContract,
        RemoteLeaseContract,
        RemoteSizeContract,
        WorkflowContract,
        BatchFlowContract {}
