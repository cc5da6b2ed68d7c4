// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_try.h"

#include "engine/wire/codec.h"

namespace binade::test {

namespace {

constexpr int kTrySteps = 40;

wire::TrialArm armOf(double shift, double spread) {
  wire::TrialArm arm;
  for (int step = 0; step < kTrySteps; ++step)
    arm.losses.push_back(3 - 0.01 * step + shift + (step % 2 == 0 ? spread : -spread) * step / kTrySteps);
  arm.evaluation = 2.5 + shift;
  arm.scale = 65536;
  arm.seconds = 0.1284;
  arm.casts = 214;
  arm.cast_bytes = 1e6;
  arm.peak_bytes = 64e6;
  return arm;
}

QByteArray lineOf(const char* event, const wire::Trial& trial) {
  return QByteArray(R"({"event":")") + event + R"(","trial":)" + QByteArray::fromStdString(wire::encode_text(trial)) +
         "}\n";
}

}  // namespace

wire::Trial fakeTrial() {
  wire::Trial trial;
  trial.name = "fc2/aten::linear#0 in float32";
  policy::SiteRule& rule = trial.after.sites.emplace_back();
  rule.match = "fc2/aten::linear#0";
  rule.format = formats::kFloat32;
  trial.first_step = 200;
  trial.steps = kTrySteps;
  wire::TrialSeed& seed = trial.seeds.emplace_back();
  seed.before = armOf(0, 0);
  seed.before.overflows = 3;
  seed.after = armOf(-0.005, 0);
  seed.after.casts = 226;
  seed.noise = armOf(0, 0.02);
  seed.noise.overflows = 3;
  trial.verdict = wire::TrialVerdict::kInsideNoise;
  trial.loss = {2.805, 2.8, -0.005, -0.025, 0.015, 0.006};
  trial.evaluation = wire::TrialDifference{2.5, 2.495, -0.005, -0.005, -0.005, 0.01};
  trial.seconds = wire::TrialDifference{0.1284, 0.1289, 0.0005, 0.0001, 0.0009, 0.001};
  trial.made = 1'790'000'000;
  return trial;
}

FakeTry::FakeTry(const QString& body)
    : ScriptedEngine(QStringLiteral("cp \"$4\" \"$folder/after\"; cp \"$6\" \"$folder/before\""), body) {
  wire::Trial trial = fakeTrial();
  write(QStringLiteral("tried"), lineOf("tried", trial));
  trial.complete = false;
  write(QStringLiteral("learnt"), lineOf("learnt", trial));
  write(QStringLiteral("cut"), lineOf("tried", trial));
  trial.seeds.front().after.losses.resize(kTrySteps / 2);
  trial.seeds.front().noise = {};
  write(QStringLiteral("partial"), lineOf("partial", trial));
}

}  // namespace binade::test
