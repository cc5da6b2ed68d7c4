// SPDX-License-Identifier: Apache-2.0
#include "tests/host/serve/peer.h"
#include "tests/host/serve/serving_engine.h"
#include "tests/support/suite.h"

#include <fstream>

using namespace binade;
using Engine = test::ServingEngine;

namespace {

wire::RunConfig smallRun() {
  wire::RunConfig config;
  config.name = "small";
  config.model = "sample:mlp";
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.steps = 1;
  return config;
}

bool isSuccess(const std::optional<wire::Response>& response) {
  return response && std::holds_alternative<nlohmann::json>(response->outcome);
}

}  // namespace

class ServeData : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void dataIsShownBeforeARun();
  void aNewLookAtDataTakesThePlaceOfTheLast();
};

void ServeData::dataIsShownBeforeARun() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  const auto response = engine.peer->answer("data.preview", wire::encode(wire::PreviewData{smallRun()}));
  QVERIFY(isSuccess(response));
  const auto preview = wire::decode<wire::DataPreview>(std::get<nlohmann::json>(response->outcome));
  QCOMPARE(preview.columns.size(), std::size_t{2});
  QCOMPARE(preview.columns[0].shape.size(), std::size_t{4});
  QVERIFY(preview.columns[1].target && !preview.columns[1].labels.empty());
}

void ServeData::aNewLookAtDataTakesThePlaceOfTheLast() {
  wire::RunConfig large = smallRun();
  large.data = {};
  large.data.kind = "files";
  large.data.files = {test::temporaryFolder().toStdString() + "/large.csv"};
  large.data.columns["x"].from.values = {"x"};
  {
    std::ofstream file(large.data.files[0]);
    file << "x\n";
    for (int i = 0; i < 2'000'000; ++i) file << "0.25\n";
  }
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  const wire::Request first{101, "data.preview", wire::encode(wire::PreviewData{large})};
  const wire::Request second{102, "data.preview", wire::encode(wire::PreviewData{smallRun()})};
  engine.peer->send(wire::frame(first) + wire::frame(second));
  const auto cancelled = test::failureIn(engine.peer->waitForAnswer(101));
  QVERIFY(cancelled && cancelled->message.starts_with("Cancelled"));
  QVERIFY(isSuccess(engine.peer->waitForAnswer(102)));
}

BINADE_SUITE(ServeData);
#include "tst_serve_data.moc"
