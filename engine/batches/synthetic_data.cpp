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
                             std::uint64_t seed, Shard shard)
    : examples_(batch),
      shard_(shard),
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

c10::IValue SyntheticData::rows_of(const c10::IValue& input, std::int64_t first, std::int64_t size) const {
  if (input.isTensor()) {
    const at::Tensor& all = input.toTensor();
    return all.dim() > 0 && all.size(0) == examples_ ? all.narrow(0, first, size).clone() : all;
  }
  if (input.isList()) {
    c10::impl::GenericList list(input.toList().elementType());
    for (const c10::IValue& member : input.toListRef()) list.push_back(rows_of(member, first, size));
    return list;
  }
  if (input.isTuple()) {
    std::vector<c10::IValue> members;
    for (const c10::IValue& member : input.toTupleRef().elements()) members.push_back(rows_of(member, first, size));
    return c10::ivalue::Tuple::create(std::move(members));
  }
  if (input.isGenericDict()) {
    const auto given = input.toGenericDict();
    c10::impl::GenericDict dict(given.keyType(), given.valueType());
    for (const auto& entry : given) dict.insert(entry.key(), rows_of(entry.value(), first, size));
    return dict;
  }
  return input;
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
  Batch batch = draw(kTraining, cursor_++);
  if (shard_.count == 1) return batch;
  // The whole batch is drawn, so that the parts together equal it.
  const std::int64_t first = shard_.begin(examples_);
  const std::int64_t size = shard_.size(examples_);
  for (c10::IValue& input : batch.inputs) input = rows_of(input, first, size);
  for (auto& [name, target] : batch.targets) target = target.narrow(0, first, size).clone();
  batch.examples = size;
  batch.share = shard_.share(examples_);
  return batch;
}

Batch SyntheticData::test_batch(std::int64_t index) const {
  return draw(kTest, index);
}

}  // namespace binade::batches
