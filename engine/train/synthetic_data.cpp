// SPDX-License-Identifier: Apache-2.0
#include "engine/train/synthetic_data.h"

#include "engine/formats/error.h"
#include "engine/train/shuffle.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randint.h>

#include <cmath>

namespace binade::train {

namespace {

constexpr std::uint64_t kTraining = 1;
constexpr std::uint64_t kTest = 2;

void check_finite(const TensorSpec& tensor, const std::string& text) {
  for (std::size_t i = 0; i < tensor.values.size(); ++i) {
    if (std::isfinite(tensor.values[i].toDouble())) continue;
    throw Error(ErrorCode::kBadData,
                "data.inputs: \"" + text + "\" holds a value that is not finite, number " + std::to_string(i + 1),
                "A NaN in the data makes every loss NaN. Correct the value.");
  }
}

}  // namespace

SyntheticData::SyntheticData(const std::vector<std::string>& inputs, std::int64_t classes, std::uint64_t seed)
    : classes_(classes), seed_(seed) {
  for (const std::string& text : inputs) {
    specs_.push_back(parse_spec(text, ErrorCode::kBadRun));
    const auto* tensor = std::get_if<TensorSpec>(&specs_.back().value);
    if (tensor == nullptr) continue;
    check_finite(*tensor, text);
    if (examples_ == 0 && !tensor->shape.empty()) examples_ = tensor->shape.front();
  }
  if (examples_ == 0) {
    throw Error(ErrorCode::kBadRun, "data.inputs: no input is a tensor with examples",
                "Give one SPEC for each input of forward; the first dimension is the batch: \"float32[64,1,28,28]\".");
  }
}

Batch SyntheticData::draw(std::uint64_t stream, std::int64_t index) const {
  const auto generator =
      at::make_generator<at::CPUGeneratorImpl>(mix(seed_, stream, static_cast<std::uint64_t>(index)));
  Batch batch;
  for (const Spec& spec : specs_) batch.inputs.push_back(make(spec, generator));
  batch.target = at::randint(classes_, {examples_}, generator, at::TensorOptions().dtype(at::kLong));
  return batch;
}

Batch SyntheticData::next() {
  return draw(kTraining, cursor_++);
}

Batch SyntheticData::test_batch(std::int64_t index) const {
  return draw(kTest, index);
}

}  // namespace binade::train
