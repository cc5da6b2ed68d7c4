// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace binade::app {

/// How lessons train a sample model of the engine.
struct SampleTraining {
  std::string name;       ///< as in `sample:NAME`
  bool pictures = false;  ///< takes the pictures of Fashion-MNIST; otherwise it trains on random data
  std::string optimizer = "sgd";
  double learning_rate = 0.02;
  double momentum = 0.9;  ///< sgd
  std::int64_t batch = 64;
  std::string output{};  ///< part of the output that has the classes; empty: all of it
};

/// All samples that a lesson can name.
const std::vector<SampleTraining>& sampleTrainings();

/// Null for an unknown name.
const SampleTraining* findSampleTraining(std::string_view name);

}  // namespace binade::app
