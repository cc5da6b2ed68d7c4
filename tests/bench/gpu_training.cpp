// SPDX-License-Identifier: Apache-2.0
//
// Native training on the device: time of a step through the engine ÷ the same step under LibTorch's autocast, and
// whether both end with the same bits.
#include "engine/train/device.h"
#include "tests/bench/gpu_stages.h"
#include "tests/bench/ratio.h"
#include "tests/bench/training_steps.h"

namespace binade::bench::gpu {

void autocast(const Machine&) {
  constexpr int kPairs = 60;
  constexpr int kWarmUp = 10;
  constexpr double kBar = 1.03;
  const policy::Capabilities can = train::capabilities(c10::Device(c10::kCUDA, 0));
  for (const std::string sample : {"resnet", "transformer", "lstm"}) {
    for (const formats::Format& low : {formats::kFloat16, formats::kBFloat16, formats::kTFloat32}) {
      const std::string what = sample + " " + formats::name(low);
      if ((low == formats::kBFloat16 && !can.native_bfloat16) || (low == formats::kTFloat32 && !can.native_tfloat32)) {
        print_not_measured("gpu.autocast", what, "no-format",
                           "The device does not compute in " + formats::name(low) + ".",
                           "Use a device of compute capability 8 or more.");
        continue;
      }
      attempt("gpu.autocast", what, [&] {
        wire::RunConfig config = lowered_training_of(sample, low, "cuda", 256);
        // PyTorch's cuDNN layers compute in float16 in a bfloat16 region; the default behaviour does not copy this.
        config.policy.behaviour = policy::Behaviour::kPyTorch211;
        if (const int differ = native_differs_from_itself(config, 5); differ > 0) {
          print_not_measured("gpu.autocast", what + ": parameters that differ after 5 steps", "no-reference",
                             std::to_string(differ) + " parameters differ between two runs of LibTorch alone.", {});
        } else {
          print_figure("gpu.autocast", what + ": parameters that differ after 5 steps",
                       exactly(differing_parameters(config, 5)), "parameters", 0);
        }
        EngineStep engine(config);
        NativeStep native(config, /*optimised=*/false);
        print_ratio("gpu.autocast", what + ": time / LibTorch's autocast",
                    median_interval(interleaved_ratios([&] { engine(); }, [&] { native(); }, kPairs, kWarmUp)), kBar);
      });
    }
  }
}

}  // namespace binade::bench::gpu
