// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/open_cuda.h"
#include "engine/observe/device_image.h"
#include "engine/observe/device_launch.h"
#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using namespace binade;

namespace {

/// The kernel's blocks, one after the other: what the barriers of a GPU make of its threads.
void emulate(const observe::PlannedLaunch& planned) {
  namespace device = observe::device;
  const device::Launch& launch = planned.launch;
  for (std::uint32_t block = 0; block < planned.blocks; ++block) {
    device::Shared shared;
    std::memset(&shared, 0xa5, sizeof shared);  // as it comes
    for (unsigned t = 0; t < device::kThreads; ++t) device::clear(shared, t);
    // Threads run in no order.
    for (unsigned i = 0; i < device::kThreads; ++i) {
      const unsigned t = (i * 37 + block) % device::kThreads;
      if (launch.formats == 1) {
        device::look<1>(launch, block, shared, t);
      } else {
        device::look<device::kFormats>(launch, block, shared, t);
      }
    }
    for (unsigned t = 0; t < device::kThreads; ++t) device::hand_in(launch, block, shared, t);
    if (launch.piece[0].fine == nullptr) continue;
    for (unsigned t = 0; t < device::kThreads; ++t) device::look_closely(launch, block, t);
  }
}

std::vector<formats::TensorStats> emulated(const std::vector<at::Tensor>& tensors, const formats::Format& watched,
                                           formats::Depth depth) {
  std::vector<at::Tensor> values;
  for (const at::Tensor& tensor : tensors) values.push_back(observe::values_of(tensor));
  const auto count = static_cast<std::int64_t>(tensors.size());
  const at::Tensor rows = at::zeros({count, observe::row_size(depth)}, at::kDouble);
  for (const auto& planned : observe::launches_of(values, watched, depth, rows)) emulate(planned);
  std::vector<formats::TensorStats> all(tensors.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    observe::add_row(rows[i], watched, tensors[at].scalar_type(), all[at]);
  }
  return all;
}

bool nearly(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

/// Counts to the last one, squares to rounding.
QString difference(formats::TensorStats got, formats::TensorStats wanted) {
  if (!nearly(got.sum_of_squares, wanted.sum_of_squares)) return QStringLiteral("sum of squares");
  got.sum_of_squares = wanted.sum_of_squares = 0;
  if (got.fine.size() != wanted.fine.size()) return QStringLiteral("steps of binades");
  for (std::size_t i = 0; i < got.fine.size(); ++i) {
    if (!nearly(got.fine[i].squares, wanted.fine[i].squares)) return QStringLiteral("squares of a step");
    got.fine[i].squares = wanted.fine[i].squares = 0;
  }
  if (got.named.has_value() != wanted.named.has_value()) return QStringLiteral("formats are missing");
  if (got.named) {
    for (std::size_t i = 0; i < got.named->size(); ++i) {
      auto& a = (*got.named)[i];
      auto& b = (*wanted.named)[i];
      if (!nearly(a.zero_squares, b.zero_squares) || !nearly(a.subnormal_squares, b.subnormal_squares) ||
          !nearly(a.overflow_squares, b.overflow_squares)) {
        return QStringLiteral("squares of a format");
      }
      a.zero_squares = a.subnormal_squares = a.overflow_squares = 0;
      b.zero_squares = b.subnormal_squares = b.overflow_squares = 0;
    }
  }
  return got == wanted ? QString() : QStringLiteral("counts");
}

formats::TensorStats onCpu(const at::Tensor& tensor, const formats::Format& watched, formats::Depth depth) {
  formats::TensorStats stats;
  observe::measure(tensor, watched, stats, depth);
  return stats;
}

/// Random bit patterns, every kind of value among them.
at::Tensor anything(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  at::Tensor values = at::empty({count}, at::kFloat);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const std::uint32_t kind = random() % 8;
    values.mutable_data_ptr<float>()[i] = std::bit_cast<float>(kind == 0   ? 0u
                                                               : kind == 1 ? bits & 0x807fffffu
                                                               : kind == 2 ? bits | 0x7f800000u
                                                                           : bits);
  }
  return values;
}

std::vector<at::Tensor> many() {
  std::vector<at::Tensor> tensors;
  for (const std::int64_t count : {1, 31, 255, 256, 257, 32767, 32768, 32769, 70001}) {
    for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
      tensors.push_back(anything(count, static_cast<unsigned>(count)).to(dtype));
    }
  }
  tensors.push_back(at::full({40000}, 1.5));
  tensors.push_back(at::full({300}, INFINITY));
  tensors.push_back(at::full({300}, 0.0));
  // More than one launch holds.
  while (tensors.size() <= observe::device::kPieces + 2) {
    tensors.push_back(anything(40 + static_cast<std::int64_t>(tensors.size()), 5));
  }
  return tensors;
}

}  // namespace

// The CUDA kernel: its blocks run here by hand, and on a GPU where there is one.
class TestDeviceBlocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void emulatedBlocksCountWhatTheCpuCounts() {
    const std::vector<at::Tensor> tensors = many();
    for (const formats::Depth depth : {formats::Depth::kHistogram, formats::Depth::kFormats, formats::Depth::kWhatIf}) {
      const auto all = emulated(tensors, formats::kFloat16, depth);
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        const QString differs = difference(all[i], onCpu(tensors[i], formats::kFloat16, depth));
        QVERIFY2(differs.isEmpty(), qPrintable(QStringLiteral("%1: %2").arg(i).arg(differs)));
      }
    }
  }

  void severalLooksShareARow() {
    const std::vector<at::Tensor> looks{anything(300, 8), anything(40000, 9)};
    const auto depth = formats::Depth::kWhatIf;
    const at::Tensor row = at::zeros({observe::row_size(depth)}, at::kDouble);
    formats::TensorStats wanted;
    for (const at::Tensor& look : looks) {
      for (const auto& planned : observe::launches_of({&look, 1}, formats::kFloat16, depth, row)) emulate(planned);
      formats::add(wanted, onCpu(look, formats::kFloat16, depth));
    }
    formats::TensorStats got;
    observe::add_row(row, formats::kFloat16, at::kFloat, got);
    QCOMPARE(difference(got, wanted), QString());
  }

  void manyTensorsTakeAsFewLaunchesAsHoldThem() {
    const std::vector<at::Tensor> tensors(2 * observe::device::kPieces + 1, anything(8, 6));
    const auto depth = formats::Depth::kFormats;
    const at::Tensor rows =
        at::zeros({static_cast<std::int64_t>(tensors.size()), observe::row_size(depth)}, at::kDouble);
    const auto launches = observe::launches_of(tensors, formats::kFloat16, depth, rows);
    QCOMPARE(launches.size(), std::size_t{3});
    QCOMPARE(launches.back().launch.pieces, 1U);
    QCOMPARE(launches.back().blocks, 1U);
  }

  void aLaunchsArgumentFitsAKernels() { QVERIFY(sizeof(observe::device::Launch) <= 4096); }

  void withoutAKernelTheReasonIsTold() {
    const c10::Device device(c10::kCPU);
    QVERIFY(observe::DeviceKernel::of(device) == nullptr);
    QVERIFY(!observe::DeviceKernel::why(device).empty());
    // ATen ops then give the same rows, but for what formats do.
    const std::vector<at::Tensor> tensors{anything(500, 3), anything(700, 4)};
    const at::Tensor rows = observe::device_rows(tensors, formats::kFloat16);
    for (std::int64_t i = 0; i < 2; ++i) {
      formats::TensorStats stats;
      observe::add_row(rows[i], formats::kFloat16, at::kFloat, stats);
      const auto wanted = onCpu(tensors[static_cast<std::size_t>(i)], formats::kFloat16, formats::Depth::kHistogram);
      QCOMPARE(difference(stats, wanted), QString());
    }
  }
};

class TestDeviceKernel : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void onADeviceTheKernelCountsWhatTheCpuCounts() {
    host::open_cuda();
    if (!at::globalContext().hasCUDA()) QSKIP("LibTorch sees no CUDA device here");
    const c10::Device device(c10::kCUDA, 0);
    if (observe::DeviceKernel::of(device) == nullptr) QSKIP(observe::DeviceKernel::why(device).c_str());
    std::vector<at::Tensor> there;
    const std::vector<at::Tensor> tensors = many();
    for (const at::Tensor& tensor : tensors) there.push_back(tensor.to(device));
    for (const formats::Depth depth : {formats::Depth::kFormats, formats::Depth::kWhatIf}) {
      const at::Tensor rows = observe::device_rows(there, formats::kFloat16, depth).cpu();
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        formats::TensorStats stats;
        observe::add_row(rows[static_cast<std::int64_t>(i)], formats::kFloat16, tensors[i].scalar_type(), stats);
        QCOMPARE(difference(stats, onCpu(tensors[i], formats::kFloat16, depth)), QString());
      }
    }
  }
};

BINADE_SUITE(TestDeviceBlocks);
BINADE_SUITE(TestDeviceKernel);
#include "tst_device_blocks.moc"
