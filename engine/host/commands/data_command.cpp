// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/preview.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/read_run.h"
#include "engine/host/print/reported_progress.h"
#include "engine/host/process/exit_code.h"
#include "engine/train/training.h"
#include "engine/wire/codec.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>

namespace binade::host {

namespace {

/// `float32[64,10]`; the dtype alone for a column without a shape.
std::string dtype_and_shape(const wire::DataColumn& column) {
  return column.shape.empty() ? column.dtype : column.dtype + graph::shape_text(column.shape);
}

/// `0: 7, 1: 9, ...`
std::string labels_text(const std::vector<wire::LabelCount>& labels) {
  constexpr std::size_t kMostLabels = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(labels.size(), kMostLabels); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(labels[i].label) + ": " + std::to_string(labels[i].count);
  }
  return labels.size() > kMostLabels ? text + ", ..." : text;
}

void print(const wire::DataPreview& preview) {
  if (preview.examples == 0) {
    std::printf("Training examples are generated without limit; %lld examples for evaluations\n",
                static_cast<long long>(preview.test_examples));
  } else {
    std::printf("%lld training examples, %lld batches per epoch; %lld examples for evaluations\n",
                static_cast<long long>(preview.examples), static_cast<long long>(preview.batches),
                static_cast<long long>(preview.test_examples));
  }
  std::printf("\nThe first batch\n  %-8s %-20s %-28s %12s %12s %12s %10s\n", "", "name", "what", "lowest", "highest",
              "mean", "non-finite");
  for (const wire::DataColumn& column : preview.columns) {
    std::printf("  %-8s %-20s %-28s %12g %12g %12g %10lld\n", column.target ? "target" : "input", column.name.c_str(),
                dtype_and_shape(column).c_str(), column.lowest, column.highest, column.mean,
                static_cast<long long>(column.non_finite));
    if (!column.labels.empty()) std::printf("           labels: %s\n", labels_text(column.labels).c_str());
  }
}

/// Values that are not finite become null: JSON has no NaN.
nlohmann::ordered_json to_line(const wire::DataPreview& preview) {
  nlohmann::ordered_json line{{"event", "data"}};
  line.update(nlohmann::ordered_json(wire::encode(preview)));
  return line;
}

}  // namespace

int data(const DataOptions& options) {
  const wire::RunConfig run = read_run(options.run, {});
  std::optional<wire::DataPreview> preview;
  std::exception_ptr refused;
  try {
    const auto training = train::set_up(run, reported_progress());
    preview = batches::preview(*training->data, training->forward.schema(), run.batch);
  } catch (const Error&) {
    refused = std::current_exception();
  }
  if (refused) {
    // The batch often shows why the run was refused.
    try {
      preview = batches::preview(run, reported_progress());
    } catch (const Error&) {
      std::rethrow_exception(refused);
    }
  }
  if (options.json) {
    std::printf("%s\n",
                to_line(*preview).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
  } else {
    print(*preview);
  }
  std::fflush(stdout);
  if (refused) std::rethrow_exception(refused);
  return kDone;
}

}  // namespace binade::host
