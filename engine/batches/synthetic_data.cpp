// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/synthetic_data.h"

#include "engine/batches/shuffle.h"
#include "engine/files/label_range.h"
#include "engine/formats/error.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randint.h>

#include <algorithm>
#include <cmath>

namespace binade::batches {

namespace {

constexpr std::uint64_t kTraining = 1;
constexpr std::uint64_t kTest = 2;
constexpr const char* kDrawnTarget = "target";

void check_finite(const TensorSpec& tensor, const std::string& text) {
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    if (std::isfinite(tensor.values[i].toDouble())) continue;
    throw Error(ErrorCode::kBadData,
                "data.inputs: \"" + text + "\" contains a value that is not finite, number " + std::to_string(i + 1),
                "A NaN in the data makes every loss NaN. Correct the value.")
        .at("data.inputs");
  }
}

}  // namespace

SyntheticData::SyntheticData(const std::vector<std::string>& inputs, std::int64_t batch, std::int64_t classes,
                             std::uint64_t seed)
    : examples_(batch),
      classes_(classes),
      targets_{{kDrawnTarget, files::LabelRange{.lowest = 0, .highest = classes - 1}}},
      seed_(seed) {
  std::optional<std::int64_t> written;  // number of examples given in the SPECs
  for (const std::string& text : inputs) {
    specs_.push_back(parse_spec(text, ErrorCode::kBadRun));
    for (TensorSpec* tensor : tensors_of(specs_.back())) {
      check_finite(*tensor, text);
      if (tensor->shape.empty()) continue;
      if (!written) written = tensor->shape.front();
      if (tensor->shape.front() == *written) set_batch(*tensor, text);
    }
  }
  if (!written || *written == 0) {
    throw Error(ErrorCode::kBadRun, "data.inputs: no input is a tensor of examples",
                "Give one SPEC for each input of forward. The first dimension is the batch: \"float32[64,1,28,28]\".")
        .at("data.inputs");
  }
}

void SyntheticData::set_batch(TensorSpec& tensor, const std::string& text) const {
  const std::int64_t written = tensor.shape.front();
  if (!tensor.values.empty() && written != examples_) {
    throw Error(ErrorCode::kBadRun,
                "data.inputs: \"" + text + "\" gives the values of " + std::to_string(written) +
                    (written == 1 ? " example" : " examples") + ", but batch is " + std::to_string(examples_),
                "Set batch to " + std::to_string(written) + ", or use random values.")
        .at("data.inputs");
  }
  tensor.shape.front() = examples_;
  std::int64_t most = kMostElements;
  for (const std::int64_t size : tensor.shape) most /= std::max<std::int64_t>(size, 1);
  if (most == 0) {
    throw Error(ErrorCode::kBadRun,
                "data.inputs: \"" + text + "\" with a batch of " + std::to_string(examples_) + " is too large a tensor",
                "Choose a smaller batch.")
        .at("data.inputs");
  }
}

Batch SyntheticData::draw(std::uint64_t stream, std::int64_t index) const {
  const auto generator =
      at::make_generator<at::CPUGeneratorImpl>(mix(seed_, stream, static_cast<std::uint64_t>(index)));
  Batch batch;
  for (const Spec& spec : specs_) batch.inputs.push_back(make(spec, generator));
  batch.targets.emplace_back(kDrawnTarget,
                             at::randint(classes_, {examples_}, generator, at::TensorOptions().dtype(at::kLong)));
  batch.examples = examples_;
  return batch;
}

Batch SyntheticData::next() {
  return draw(kTraining, cursor_++);
}

Batch SyntheticData::test_batch(std::int64_t index) const {
  return draw(kTest, index);
}

}  // namespace binade::batches
