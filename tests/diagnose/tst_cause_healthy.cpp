// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/samples.h"
#include "engine/run/events.h"
#include "engine/run/step.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/event_text.h"
#include "tests/diagnose/faults.h"
#include "tests/run/small_run.h"
#include "tests/support/native_lstm.h"
#include "tests/support/suite.h"

#include <map>

using namespace binade;

namespace {

/// Attention over 4 places of 8, with infinities that are asked for.
const std::map<std::string, std::string>& masked() {
  static const std::map<std::string, std::string> all{
      {"causal, filled",
       "    later = torch.triu(torch.ones([4, 4], device=x.device), 1) > 0.5\n"
       "    p = torch.softmax(torch.matmul(q, k.transpose(1, 2)).masked_fill(later, float('-inf')), -1)\n"
       "    y = torch.matmul(p, v)\n"},
      {"causal, added",
       "    later = torch.triu(torch.full([4, 4], float('-inf'), device=x.device), 1)\n"
       "    p = torch.softmax(torch.matmul(q, k.transpose(1, 2)) + later, -1)\n"
       "    y = torch.matmul(p, v)\n"},
      {"causal, fused", "    y = torch.scaled_dot_product_attention(q, k, v, None, 0.0, True)\n"},
      {"a mask for the fused op",
       "    later = torch.triu(torch.full([4, 4], float('-inf'), device=x.device, dtype=q.dtype), 1)\n"
       "    y = torch.scaled_dot_product_attention(q, k, v, later)\n"},
      {"padding",
       "    padding = torch.arange(4, device=x.device) > 2\n"
       "    p = torch.softmax(torch.matmul(q, k.transpose(1, 2)).masked_fill(padding, float('-inf')), -1)\n"
       "    y = torch.matmul(p, v)\n"},
      {"a largest value that starts from -inf",
       "    best = torch.full_like(q, float('-inf'))\n"
       "    for i in range(4):\n"
       "        best = torch.maximum(best, q + k[:, i:i + 1])\n"
       "    y = best + v\n"},
      {"the logarithm of a mask",
       "    kept = torch.tril(torch.ones([4, 4], device=x.device))\n"
       "    p = torch.softmax(torch.matmul(q, k.transpose(1, 2)) + torch.log(kept), -1)\n"
       "    y = torch.matmul(p, v)\n"},
  };
  return all;
}

wire::RunConfig maskedRun(const std::string& body) {
  wire::RunConfig config = test::smallRun(4);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    q = torch.linear(x, self.weight, self.bias)\n"
                                 "    k = q * 0.5\n"
                                 "    v = q + 1.0\n" +
                                     body + "    return y.sum(1)\n");
  config.data.inputs = {"float32[6,4,8]"};
  config.data.classes = 4;
  config.batch = 6;
  config.scaler.init_scale = 1024;
  return config;
}

/// The events of the first steps of a run in one precision, all values looked at.
QStringList eventsOf(wire::RunConfig config, const std::string& precision) {
  constexpr int kSteps = 3;
  config.steps = kSteps;
  config.observe = {.level = "what-if", .every = 1};
  if (precision == "float32") config.policy.base = policy::Base::kAllFloat32;
  if (precision == "bfloat16") config.policy.low = formats::kBFloat16;
  if (precision == "cpu-amp, native") {
    config.policy.base = policy::Base::kCpuAmp;
    config.policy.low = formats::kBFloat16;
    config.policy.execution = policy::Execution::kNative;
  }
  QStringList said;
  try {
    const auto training = train::set_up(config);
    run::Stepper stepper(*training);
    for (int step = 0; step < kSteps; ++step) {
      const run::StepOutcome outcome = stepper.run(step);
      if (outcome.diagnosis) said << QString::fromStdString(words::explanation_of(*outcome.diagnosis, {}));
      if (outcome.vanished) said << QString::fromStdString(words::explanation_of(*outcome.vanished, {}));
      for (const wire::Event& event : run::events_of(outcome.record, stepper.watched(), {})) {
        said << QString::fromStdString(words::sentence_of(event, {training->info.sites, {}}));
      }
    }
  } catch (const std::exception& error) {
    said << QString::fromUtf8(error.what());
  }
  return said;
}

constexpr const char* kPrecisions[] = {"float16", "bfloat16", "cpu-amp, native", "float32"};

}  // namespace

/// Where nothing is wrong nothing is reported, however closely it is looked at.
class Healthy : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void samplesRaiseNoEvent() {
    int cases = 0;
    for (const graph::Sample& sample : graph::samples()) {
      if (sample.faulty) continue;
      for (const std::string precision : kPrecisions) {
        if (sample.name == "lstm" && precision == "cpu-amp, native" && !test::has_bfloat16_lstm()) {
          qInfo("lstm, cpu-amp, native: left out, because LibTorch runs no LSTM in bfloat16 on this CPU");
          continue;
        }
        const QStringList said = eventsOf(test::healthyRun(sample.name), precision);
        QVERIFY2(said.isEmpty(), qPrintable(QString::fromStdString(sample.name + ", " + precision + ": ") +
                                            said.join(QLatin1Char(' '))));
        ++cases;
      }
    }
    QVERIFY(cases > 0);
  }

  void masksRaiseNoEvent() {
    int cases = 0;
    for (const auto& [name, body] : masked()) {
      for (const std::string precision : kPrecisions) {
        const QStringList said = eventsOf(maskedRun(body), precision);
        QVERIFY2(said.isEmpty(),
                 qPrintable(QString::fromStdString(name + ", " + precision + ": ") + said.join(QLatin1Char(' '))));
        ++cases;
      }
    }
    QVERIFY(cases > 0);
  }
};

BINADE_SUITE(Healthy);
#include "tst_cause_healthy.moc"
