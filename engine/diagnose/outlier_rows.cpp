// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/outlier_rows.h"

#include "engine/words/diagnosis_text.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_copy.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace binade::diagnose {

namespace {

constexpr double kTimes = 100;
constexpr std::int64_t kLeastRows = 4;

bool has_rows(const at::Tensor& tensor, std::int64_t examples) {
  return tensor.defined() && tensor.dim() > 0 && tensor.size(0) == examples && tensor.numel() > 0;
}

std::vector<std::int64_t> outliers_in(const at::Tensor& tensor) {
  const at::NoGradGuard no_history;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const at::Tensor largest =
      at::nan_to_num(tensor.detach().reshape({tensor.size(0), -1}).to(at::kDouble).abs().amax(1), kInfinity).cpu();
  const double* values = largest.const_data_ptr<double>();
  std::vector<double> sorted(values, values + largest.numel());
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
  const double middle = sorted[sorted.size() / 2];
  std::vector<std::int64_t> rows;
  if (!(middle > 0) || middle == kInfinity) return rows;
  for (std::int64_t i = 0; i < largest.numel(); ++i) {
    if (values[i] > kTimes * middle) rows.push_back(i);
  }
  return rows;
}

std::int64_t first_other(const std::vector<std::int64_t>& rows) {
  std::int64_t row = 0;
  while (std::binary_search(rows.begin(), rows.end(), row)) ++row;
  return row;
}

class WithoutOutlierRows : public batches::BatchSource {
 public:
  WithoutOutlierRows(std::unique_ptr<batches::BatchSource> data, ReplacedRows& replaced)
      : data_(std::move(data)), replaced_(replaced) {}

  batches::Batch next() override {
    const std::int64_t number = data_->cursor();
    batches::Batch batch = data_->next();
    const std::vector<std::int64_t> rows = outlier_rows(batch);
    if (rows.empty()) return batch;
    wire::BadRows& noted = replaced_[number];
    noted = {};
    noted.of = batch.examples;
    noted.bad = static_cast<std::int64_t>(rows.size());
    const std::size_t named = std::min(rows.size(), wire::BadRows::kMostNamed);
    noted.rows.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(named));
    for (const std::int64_t row : noted.rows) {
      if (batch.rows.size() == static_cast<std::size_t>(batch.examples)) {
        noted.examples.push_back(batch.rows[static_cast<std::size_t>(row)]);
      }
    }
    const std::int64_t by = first_other(rows);
    const auto replace = [&](const at::Tensor& tensor) {
      if (!has_rows(tensor, batch.examples)) return tensor;
      const std::vector<at::Tensor> others(rows.size(), tensor.narrow(0, by, 1));
      return tensor.index_copy(0, at::tensor(rows, at::kLong), at::cat(others, 0));
    };
    for (c10::IValue& input : batch.inputs) {
      if (input.isTensor()) input = replace(input.toTensor());
    }
    for (auto& [name, target] : batch.targets) target = replace(target);
    return batch;
  }
  std::int64_t cursor() const override { return data_->cursor(); }
  void seek(std::int64_t cursor) override { data_->seek(cursor); }
  std::int64_t test_batches() const override { return data_->test_batches(); }
  batches::Batch test_batch(std::int64_t index) const override { return data_->test_batch(index); }
  std::int64_t examples() const override { return data_->examples(); }
  std::int64_t test_examples() const override { return data_->test_examples(); }
  const std::vector<batches::TargetInfo>& targets() const override { return data_->targets(); }

 private:
  std::unique_ptr<batches::BatchSource> data_;
  ReplacedRows& replaced_;
};

}  // namespace

std::vector<std::int64_t> outlier_rows(const batches::Batch& batch) {
  std::vector<std::int64_t> all;
  if (batch.examples < kLeastRows) return all;
  const auto add_rows_of = [&](const at::Tensor& tensor) {
    if (!has_rows(tensor, batch.examples) || !tensor.is_floating_point() || tensor.layout() != at::kStrided) return;
    for (const std::int64_t row : outliers_in(tensor)) all.push_back(row);
  };
  for (const c10::IValue& input : batch.inputs) {
    if (input.isTensor()) add_rows_of(input.toTensor());
  }
  for (const auto& [name, target] : batch.targets) add_rows_of(target);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return 2 * static_cast<std::int64_t>(all.size()) < batch.examples ? all : std::vector<std::int64_t>();
}

void blame_outlier_rows(wire::Diagnosis& diagnosis, Replay& replay) {
  if (diagnosis.roots.empty() || !diagnosis.roots.front().rows) return;
  if (diagnosis.roots.front().fault == wire::Root::Fault::kData) return;  // already attributed to the data
  const wire::BadRows& rows = *diagnosis.roots.front().rows;
  if (rows.bad >= rows.of || static_cast<std::size_t>(rows.batch) >= replay.batches().size()) return;
  const std::vector<std::int64_t> outliers = outlier_rows(replay.batches()[static_cast<std::size_t>(rows.batch)]);
  const bool all = std::all_of(rows.rows.begin(), rows.rows.end(), [&outliers](std::int64_t row) {
    return std::binary_search(outliers.begin(), outliers.end(), row);
  });
  if (!all || rows.rows.empty()) return;
  diagnosis.verdict = wire::Verdict::kHugeData;
  diagnosis.fix = {};  // a wider format would train on these rows
  diagnosis.message.clear();
  diagnosis.notes.clear();
}

std::unique_ptr<batches::BatchSource> without_outlier_rows(std::unique_ptr<batches::BatchSource> data,
                                                           ReplacedRows& replaced) {
  return std::make_unique<WithoutOutlierRows>(std::move(data), replaced);
}

}  // namespace binade::diagnose
