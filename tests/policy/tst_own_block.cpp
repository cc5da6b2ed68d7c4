// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/own_block.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::Base;
using policy::block_in_force;
using policy::BlockLists;
using policy::OwnBlock;

namespace {

OwnBlock block(std::optional<Base> list, std::optional<formats::Format> low = {}, const OwnBlock* outer = nullptr) {
  OwnBlock made;
  made.list = list;
  made.low = low;
  made.outer = outer;
  return made;
}

bool are(const BlockLists& lists, Base list, const formats::Format& low) {
  return lists.list == list && lists.low == low;
}

}  // namespace

// Which of a model's own autocast blocks decides, and by which list, as torch.autocast would.
class OwnBlocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void onlyTwoBasesTellADevice();
  void theNearestBlockForTheDeviceDecides();
  void aBlockTakesTheLowFormatThatIsSetAroundIt();
  void aDisabledBlockAndAnUnknownFormatCastNothing();
  void aBlockOfNoDeviceTakesTheTensors();
};

void OwnBlocks::onlyTwoBasesTellADevice() {
  QVERIFY(policy::device_of(Base::kCudaAmp) == Base::kCudaAmp);
  QVERIFY(policy::device_of(Base::kCpuAmp) == Base::kCpuAmp);
  for (const Base base : {Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3, Base::kAllFloat32}) {
    QVERIFY(!policy::device_of(base));
  }
}

void OwnBlocks::theNearestBlockForTheDeviceDecides() {
  const OwnBlock outer = block(Base::kCpuAmp);
  const OwnBlock inner = block(Base::kCudaAmp, {}, &outer);
  QCOMPARE(block_in_force(&inner, Base::kCudaAmp), &inner);
  QCOMPARE(block_in_force(&inner, Base::kCpuAmp), &outer);  // the one between is for another device
  QCOMPARE(block_in_force(&inner, std::nullopt), &inner);   // no device is known: the nearest
  QCOMPARE(block_in_force(&outer, Base::kCudaAmp), nullptr);
  QCOMPARE(block_in_force(nullptr, Base::kCudaAmp), nullptr);
  const OwnBlock anywhere = block({}, {}, &outer);
  QCOMPARE(block_in_force(&anywhere, Base::kCudaAmp), &anywhere);
}

void OwnBlocks::aBlockTakesTheLowFormatThatIsSetAroundIt() {
  const auto lists = [](const OwnBlock& of, Base base) {
    return policy::lists_of(of, base, formats::kBFloat16, policy::device_of(base));
  };
  QVERIFY(are(lists(block(Base::kCudaAmp, formats::kFloat16), Base::kCudaAmp), Base::kCudaAmp, formats::kFloat16));
  QVERIFY(are(lists(block(Base::kCudaAmp), Base::kCudaAmp), Base::kCudaAmp, formats::kBFloat16));    // the policy's
  QVERIFY(are(lists(block(Base::kCudaAmp), Base::kAllFloat32), Base::kCudaAmp, formats::kFloat16));  // the device's
  const OwnBlock half = block(Base::kCudaAmp, formats::kFloat16);
  const OwnBlock cpu = block(Base::kCpuAmp, formats::kBFloat16, &half);
  // The nearest around it for the same device: the block of the other device in between says nothing.
  QVERIFY(are(lists(block(Base::kCudaAmp, {}, &cpu), Base::kCudaAmp), Base::kCudaAmp, formats::kFloat16));
}

void OwnBlocks::aDisabledBlockAndAnUnknownFormatCastNothing() {
  OwnBlock disabled = block(Base::kCudaAmp, formats::kFloat16);
  disabled.enabled = false;
  const auto list_of = [](const OwnBlock& of) {
    return policy::lists_of(of, Base::kAllFloat32, formats::kFloat16, std::nullopt).list;
  };
  QVERIFY(list_of(disabled) == Base::kAllFloat32);
  // PyTorch's autocast for CPUs knows two dtypes; with another one it warns and is off. That for CUDA takes any.
  QVERIFY(list_of(block(Base::kCpuAmp, formats::kFloat32)) == Base::kAllFloat32);
  QVERIFY(list_of(block(Base::kCpuAmp, formats::kFloat16)) == Base::kCpuAmp);
  QVERIFY(list_of(block(Base::kCudaAmp, formats::kFloat32)) == Base::kCudaAmp);
}

void OwnBlocks::aBlockOfNoDeviceTakesTheTensors() {
  const OwnBlock anywhere = block({});
  const auto lists = [&](std::optional<Base> device) {
    return policy::lists_of(anywhere, Base::kAllFloat32, formats::kFloat32, device);
  };
  QVERIFY(are(lists(Base::kCpuAmp), Base::kCpuAmp, formats::kBFloat16));
  QVERIFY(are(lists(Base::kCudaAmp), Base::kCudaAmp, formats::kFloat16));
  QVERIFY(are(lists(std::nullopt), Base::kCudaAmp, formats::kFloat16));
}

BINADE_SUITE(OwnBlocks);
#include "tst_own_block.moc"
