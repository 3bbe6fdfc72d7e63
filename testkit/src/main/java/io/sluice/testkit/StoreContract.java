package io.sluice.testkit;

/**
 * Everything that a store must do. The whole test of a store is one class:
 *
 * {@snippet :
 * class MemoryStoreContractTest implements StoreContract {
 *   @Override
 *   public StoreLab lab() {
 *     ManualClock clock = new ManualClock();
 *     return StoreLab.of(MemoryStore.builder().clock(clock).build(), clock);
 *   }
 * }
 * }
 */
public interface StoreContract
    extends InsertContract,
        IdempotencyContract,
        ClaimContract,
        LookContract,
        ConcurrencyContract,
        RateContract,
        LimitContract,
        OrderedContract,
        LeaseContract,
        OwnLeaseContract,
        FinishContract,
        FencingContract,
        StateMovesContract,
        CancelContract,
        CancelWaitingContract,
        CancelTogetherContract,
        ReplayContract,
        DeleteContract,
        PromoteContract,
        RescueContract,
        RetentionContract,
        ExpiryContract,
        AfterContract,
        WakeContract,
        DiamondContract,
        BatchLinksContract,
        OpenBatchContract,
        NestedBatchContract,
        ReopenContract,
        CircleContract,
        GraphContract,
        QueueContract,
        BreakerContract,
        CapacityContract,
        TenantCapContract,
        QueryContract,
        SizeContract,
        CountsContract,
        StandingContract,
        ExplainContract,
        ExplainFlowContract,
        ExplainAfterContract,
        ProgressContract,
        WakeupContract,
        PromiseContract {}
