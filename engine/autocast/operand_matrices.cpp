// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/operand_matrices.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace binade::autocast {

namespace {

constexpr std::int64_t kTask = 1 << 14;  // values per task: large beside its overhead, small beside the L2 cache
constexpr std::int64_t kLeastRows = 16;  // of a task whose loops run over rows, so that they vectorise

scaled::Storage storage_of(at::ScalarType dtype) {
  if (dtype == at::kBFloat16) return scaled::Storage::kBFloat16;
  return dtype == at::kHalf ? scaled::Storage::kFloat16 : scaled::Storage::kFloat32;
}

/// The work on a tensor in parts: the part with number i is a range of rows of one matrix.
class Parts {
 public:
  Parts(const OperandMatrices& matrices, const scaled::ScaledFormat& format) : matrices_(matrices) {
    const auto unit = std::max<std::int64_t>(matrices.column_stride == 1 ? 1 : kLeastRows, format.block.rows);
    const std::int64_t rows = kTask / std::max<std::int64_t>(matrices.columns, 1);
    rows_ = std::max(unit, rows / unit * unit);
    in_matrix_ = (matrices.rows + rows_ - 1) / rows_;
  }

  std::int64_t count() const {
    return matrices_.columns == 0 ? 0 : static_cast<std::int64_t>(matrices_.offsets.size()) * in_matrix_;
  }

  /// Calls `work(part, matrix, rows)` for all parts, in parallel.
  template <class Work>
  void run(const Work& work) const {
    const std::int64_t values = std::min(rows_, matrices_.rows) * matrices_.columns;
    const std::int64_t grain = std::max<std::int64_t>(1, kTask / std::max<std::int64_t>(values, 1));
    at::parallel_for(0, count(), grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t part = begin; part < end; ++part) {
        const std::int64_t first = part % in_matrix_ * rows_;
        work(part, part / in_matrix_, scaled::RowRange{first, std::min(first + rows_, matrices_.rows)});
      }
    });
  }

 private:
  const OperandMatrices& matrices_;
  std::int64_t rows_ = 0;       ///< rows of a part
  std::int64_t in_matrix_ = 0;  ///< parts of a matrix
};

scaled::InputView input_view(const at::Tensor& tensor, const OperandMatrices& matrices, std::int64_t matrix) {
  const auto* const bytes = static_cast<const std::byte*>(tensor.const_data_ptr());
  const scaled::Storage storage = storage_of(tensor.scalar_type());
  const std::int64_t offset = matrices.offsets[static_cast<std::size_t>(matrix)] * scaled::size_of(storage);
  return {.data = bytes + offset,
          .storage = storage,
          .rows = matrices.rows,
          .columns = matrices.columns,
          .row_stride = matrices.row_stride,
          .column_stride = matrices.column_stride,
          .first = matrices.first + matrix * matrices.rows * matrices.columns};
}

scaled::OutputView output_view(float* to, const OperandMatrices& matrices, std::int64_t matrix) {
  return {.data = to + matrices.offsets[static_cast<std::size_t>(matrix)],
          .storage = scaled::Storage::kFloat32,
          .row_stride = matrices.row_stride,
          .column_stride = matrices.column_stride};
}

/// NaN if a part is.
float largest_part(const std::vector<float>& parts) {
  float largest = 0;
  for (const float part : parts) {
    if (std::isnan(part)) return part;
    largest = std::max(largest, part);
  }
  return largest;
}

}  // namespace

OperandMatrices OperandMatrices::of(std::int64_t count, std::int64_t first, std::int64_t second, int contracted) {
  OperandMatrices result;
  for (std::int64_t i = 0; i < count; ++i) result.offsets.push_back(i * first * second);
  result.rows = contracted == 1 ? second : first;
  result.columns = contracted == 1 ? first : second;
  result.row_stride = contracted == 1 ? 1 : second;
  result.column_stride = contracted == 1 ? second : 1;
  return result;
}

float largest_of(const at::Tensor& tensor, const OperandMatrices& matrices, const scaled::Quantizer& quantizer) {
  const at::Tensor host = tensor.cpu();
  const Parts parts(matrices, quantizer.format());
  std::vector<float> of_parts(static_cast<std::size_t>(parts.count()));
  parts.run([&](std::int64_t part, std::int64_t matrix, scaled::RowRange rows) {
    of_parts[static_cast<std::size_t>(part)] = quantizer.largest(input_view(host, matrices, matrix), rows);
  });
  return largest_part(of_parts);
}

at::Tensor quantized(const at::Tensor& tensor, const OperandMatrices& matrices, const scaled::Quantizer& quantizer,
                     const scaled::Scale& scale, scaled::BlockStats* stats) {
  const at::NoGradGuard no_history;
  const at::Tensor result = at::empty(tensor.sizes(), at::kFloat);
  quantize(tensor, result, matrices, quantizer, scale, stats);
  return result.to(tensor.device());
}

void quantize(const at::Tensor& from, const at::Tensor& to, const OperandMatrices& matrices,
              const scaled::Quantizer& quantizer, const scaled::Scale& scale, scaled::BlockStats* stats,
              const MakeRows& make) {
  const at::Tensor host = from.cpu();
  auto* const results = to.mutable_data_ptr<float>();
  const Parts parts(matrices, quantizer.format());
  std::vector<scaled::BlockStats> of_parts(stats == nullptr ? 0 : static_cast<std::size_t>(parts.count()));
  parts.run([&](std::int64_t part, std::int64_t matrix, scaled::RowRange rows) {
    if (make) make(matrix, rows);
    scaled::Detail detail;
    if (stats != nullptr) detail.stats = &of_parts[static_cast<std::size_t>(part)];
    quantizer(input_view(host, matrices, matrix), output_view(results, matrices, matrix), rows, scale, detail);
  });
  for (const scaled::BlockStats& part : of_parts) stats->add(part);  // in order: sums must not depend on threads
}

float transform_in_place(const at::Tensor& tensor, const OperandMatrices& matrices, const scaled::Quantizer& quantizer,
                         const MakeRows& make) {
  auto* const values = tensor.mutable_data_ptr<float>();
  const Parts parts(matrices, quantizer.format());
  std::vector<float> of_parts(static_cast<std::size_t>(parts.count()));
  parts.run([&](std::int64_t part, std::int64_t matrix, scaled::RowRange rows) {
    if (make) make(matrix, rows);
    const scaled::InputView in = input_view(tensor, matrices, matrix);
    of_parts[static_cast<std::size_t>(part)] =
        quantizer.format().transform ? quantizer.transform(in, output_view(values, matrices, matrix), rows)
                                     : quantizer.largest(in, rows);
  });
  return largest_part(of_parts);
}

}  // namespace binade::autocast
