// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/reused_memory.h"
#include "tests/support/suite.h"

using namespace binade;

// Memory of operands: taken again, and never while a tensor has it.
class TestReusedMemory : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTensorIsFloat32AndContiguous() {
    autocast::ReusedMemory memory;
    const at::Tensor tensor = memory.take({3, 4, 5});
    QVERIFY(tensor.sizes() == at::IntArrayRef({3, 4, 5}));
    QVERIFY(tensor.scalar_type() == at::kFloat && tensor.is_cpu() && tensor.is_contiguous());
    QVERIFY(!tensor.requires_grad() && !tensor.is_view());
    QCOMPARE(memory.take({0, 7}).numel(), std::int64_t{0});
    QCOMPARE(memory.take({}).numel(), std::int64_t{1});
  }

  void memoryOfAFreedTensorIsTakenAgain() {
    autocast::ReusedMemory memory;
    at::Tensor tensor = memory.take({1000});
    const void* const address = tensor.data_ptr();
    tensor.reset();
    tensor = memory.take({30, 20});
    QVERIFY(tensor.data_ptr() == address);
  }

  void memoryInUseIsNotTaken() {
    autocast::ReusedMemory memory;
    at::Tensor tensor = memory.take({1000});
    const at::Tensor view = tensor.narrow(0, 10, 10);
    const void* const address = tensor.data_ptr();
    tensor.reset();
    QVERIFY(memory.take({1000}).data_ptr() != address);
  }

  void aTensorKeepsItsValuesWhereMemoryIsReplacedOrFreed() {
    autocast::ReusedMemory memory;
    memory.take({600});
    const at::Tensor larger = memory.take({1000}).fill_(3);  // of the same class: replaces the one before
    memory.free_unused();
    memory.free_unused();
    memory.take({1000}).fill_(4);
    QCOMPARE(larger.sum().item<float>(), 3000.0F);
  }

  void aSmallTensorTakesNoLargeMemory() {
    autocast::ReusedMemory memory;
    memory.take({100000});
    QVERIFY(memory.take({100}).storage().nbytes() < 1000);
  }

  void memoryThatIsNotTakenIsFreed() {
    autocast::ReusedMemory memory;
    at::Tensor tensor = memory.take({1000});
    const c10::weak_intrusive_ptr<c10::StorageImpl> storage(tensor.storage().getWeakStorageImpl());
    tensor.reset();
    memory.free_unused();
    QVERIFY(!storage.expired());  // it was taken since the last call
    memory.free_unused();
    QVERIFY(storage.expired());
  }
};

BINADE_SUITE(TestReusedMemory);
#include "tst_reused_memory.moc"
