// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/idx_data.h"

#include "engine/files/idx_file.h"
#include "engine/files/label_range.h"
#include "engine/files/mapped_file.h"
#include "engine/formats/error.h"
#include "engine/wire/data_files.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <filesystem>

namespace binade::batches {

namespace {

constexpr std::int64_t kTestBatch = 500;
constexpr const char* kTarget = "target";

/// The folder of Debian's package dataset-fashion-mnist.
constexpr const char* kDebianFolder = "/usr/share/datasets/fashion-mnist";

std::string hint_on_files(const std::string& folder) {
  // The path of a file in it, because a folder's own path may end with a slash.
  if ((std::filesystem::path(folder) / "x").lexically_normal() == std::filesystem::path(kDebianFolder) / "x") {
    return "Debian's package dataset-fashion-mnist installs Fashion-MNIST in " + std::string(kDebianFolder) + ".";
  }
  return "An IDX folder needs train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and "
         "t10k-labels-idx1-ubyte, each plain or as .gz.";
}

std::string find_file(const std::string& folder, const std::string& name) {
  std::string file = wire::find_idx_file(folder, name);
  if (!file.empty()) return file;
  const std::filesystem::path plain = std::filesystem::path(folder) / name;
  throw Error(ErrorCode::kBadData, "data.folder: neither " + plain.string() + " nor " + name + ".gz exists",
              hint_on_files(folder))
      .at("data.folder");
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(ErrorCode::kBadData, file + " " + why,
              "Each picture needs one label. Use both files of the same data set.");
}

/// In parts, since the images may exceed memory.
void check_finite(const at::Tensor& pictures, const std::string& file, const files::Progress& progress) {
  const std::int64_t step = std::max<std::int64_t>((std::int64_t{1} << 22) * pictures.size(0) / pictures.numel(), 1);
  for (std::int64_t first = 0; first < pictures.size(0); first += step) {
    progress.report("Checking " + std::filesystem::path(file).filename().string(), static_cast<std::uint64_t>(first),
                    static_cast<std::uint64_t>(pictures.size(0)));
    const at::Tensor part = pictures.narrow(0, first, std::min(step, pictures.size(0) - first));
    const at::Tensor good = at::isfinite(part).flatten(1).all(1);
    if (good.all().item<bool>()) continue;
    throw Error(ErrorCode::kBadData,
                file + " contains a value that is not finite, first in picture " +
                    std::to_string(first + good.to(at::kByte).argmin().item<std::int64_t>()),
                "A NaN in the data makes every loss NaN. Correct the data set.");
  }
}

void extend_by_all(std::optional<files::LabelRange>& range, const at::Tensor& labels, std::int64_t first_row) {
  const std::int64_t* const values = labels.const_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < labels.numel(); ++i) files::extend_range(range, values[i], first_row + i);
}

}  // namespace

IdxData::Half IdxData::read_half(const std::string& folder, const std::string& prefix,
                                 const files::Progress& progress) {
  const std::string picture_file = find_file(folder, prefix + "-images-idx3-ubyte");
  const std::string label_file = find_file(folder, prefix + "-labels-idx1-ubyte");
  files_.insert(files_.end(), {picture_file, label_file});
  Half half{files::read_idx(picture_file, progress), files::read_idx(label_file, progress)};
  if (half.pictures.dim() != 3 || half.pictures.numel() == 0) refuse(picture_file, "does not contain pictures");
  if (half.labels.dim() != 1 || half.labels.scalar_type() != at::kByte) refuse(label_file, "does not contain labels");
  if (half.pictures.size(0) != half.labels.size(0)) {
    refuse(label_file, "holds " + std::to_string(half.labels.size(0)) + " labels for " +
                           std::to_string(half.pictures.size(0)) + " pictures");
  }
  if (half.pictures.is_floating_point()) check_finite(half.pictures, picture_file, progress);
  half.labels = half.labels.to(at::kLong);
  return half;
}

IdxData::IdxData(const wire::DataConfig& config, std::int64_t batch, std::uint64_t seed,
                 const files::Progress& progress, Shard shard)
    : train_(read_half(config.folder, "train", progress)),
      test_(read_half(config.folder, "t10k", progress)),
      mean_(config.mean),
      deviation_(config.deviation),
      order_(examples(), batch, seed, config.shuffle, shard) {
  if (batch > examples()) {
    throw Error(
        ErrorCode::kBadRun,
        "batch is " + std::to_string(batch) + ", but the data set has only " + std::to_string(examples()) + " examples",
        "Choose a smaller batch.")
        .at("batch");
  }
  std::optional<files::LabelRange> range;
  extend_by_all(range, train_.labels, 0);
  extend_by_all(range, test_.labels, train_.labels.size(0));
  targets_ = {{kTarget, range}};
  files::check_mapped(files_);
}

Batch IdxData::pick(const Half& half, const at::Tensor& indices) const {
  return files::while_whole(files_, [&] { return rows_of(half, indices); });
}

Batch IdxData::rows_of(const Half& half, const at::Tensor& indices) const {
  at::Tensor pictures = half.pictures.index_select(0, indices).unsqueeze(1).to(at::kFloat);
  if (!half.pictures.is_floating_point()) pictures.div_(255);
  pictures.sub_(mean_).div_(deviation_);
  const auto* const rows = indices.const_data_ptr<std::int64_t>();
  return {{std::move(pictures)},
          {{kTarget, half.labels.index_select(0, indices)}},
          indices.numel(),
          {rows, rows + indices.numel()}};
}

Batch IdxData::next() {
  Batch batch = pick(train_, order_.current());
  batch.share = order_.share();
  order_.advance();
  return batch;
}

std::int64_t IdxData::test_batches() const {
  return (test_.labels.size(0) + kTestBatch - 1) / kTestBatch;
}

Batch IdxData::test_batch(std::int64_t index) const {
  const std::int64_t first = index * kTestBatch;
  return pick(test_, at::arange(first, std::min(first + kTestBatch, test_.labels.size(0)), at::kLong));
}

}  // namespace binade::batches
