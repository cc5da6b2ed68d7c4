// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/check.h"

#include <algorithm>

namespace binade::wire {

namespace {

/// `field` is the column's path in the description: `data.columns.x`.
void check_column(const Check& check, const ColumnConfig& column, const std::string& field) {
  const auto& from = column.from.values;
  check.that(!from.empty() && std::find(from.begin(), from.end(), "") == from.end(), field + ".from",
             "name an array or column of data.files", "For example \"from\": \"images\".");
  check.one_of(column.dtype, field + ".dtype",
               {"", "float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"});
  for (const double each : column.mean.values) check.that(std::isfinite(each), field + ".mean", "be finite");
  for (const double each : column.deviation.values) {
    check.that(std::isfinite(each) && each > 0, field + ".deviation", "be above 0");
  }
  const bool normalised = !column.mean.values.empty() || !column.deviation.values.empty();
  const bool real = column.dtype.empty() || column.dtype.find("float") != std::string::npos;
  check.that(!normalised || real, field + ".dtype", "be a float if mean or deviation is given",
             "For example \"dtype\": \"float32\".");
  if (column.shape) {
    for (const std::int64_t size : *column.shape) check.that(size >= 1, field + ".shape", "contain sizes of 1 or more");
  }
}

void check_files(const Check& check, const DataConfig& data) {
  const DataConfig none;
  const bool files = data.kind == "files";
  const auto only = [&](bool given, const std::string& field) {
    check.that(files || !given, field, "be omitted: it requires data.kind \"files\"");
  };
  check.that(!files || !data.files.empty(), "data.files", "name at least one file",
             "Supported are NumPy (.npy, .npz), CSV, safetensors and torch.save files.");
  only(!data.files.empty(), "data.files");
  only(!data.columns.empty(), "data.columns");
  only(!data.targets.empty(), "data.targets");
  only(data.test != none.test, "data.test");
  for (const std::string& file : data.files) check.that(!file.empty(), "data.files", "contain no empty name");
  for (const auto& [name, column] : data.columns) check_column(check, column, "data.columns." + name);
  for (const auto& [name, column] : data.targets) check_column(check, column, "data.targets." + name);
  check.that(finite(data.test, 0, 1) && data.test < 1, "data.test", "be from 0 to below 1",
             "0.1 reserves one row in ten for evaluations.");
  check.that(!files || (data.mean == none.mean && data.deviation == none.deviation), "data.mean and data.deviation",
             "be given in the column: they require data.kind \"idx\"", "Move them into data.columns.");
  check.that(data.shuffle || data.kind != "synthetic", "data.shuffle", "be omitted: synthetic data has no order");
  check.that(data.prefetch >= 0 && data.prefetch <= 64, "data.prefetch", "be from 0 to 64");
}

}  // namespace

void check_data(const Check& check, const DataConfig& data) {
  check.one_of(data.kind, "data.kind", {"files", "idx", "synthetic"});
  check_files(check, data);
  check.that(data.kind != "idx" || !data.folder.empty(), "data.folder", "name the folder of the IDX files",
             "Debian's package dataset-fashion-mnist installs them in /usr/share/datasets/fashion-mnist.");
  check.that(std::isfinite(data.mean), "data.mean", "be finite");
  check.that(std::isfinite(data.deviation) && data.deviation > 0, "data.deviation", "be above 0");
  check.that(data.classes >= 1, "data.classes", "be at least 1");
}

}  // namespace binade::wire
