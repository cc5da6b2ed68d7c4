// SPDX-License-Identifier: Apache-2.0
// A program with unsaved edits, for tests that kill it: crashing_editor FOLDER. Prints a line when the edits are kept.
#include "app/session/edit_recovery.h"
#include "app/session/policy_document.h"
#include "app/session/run_document.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char** argv) {
  QCoreApplication app(argc, argv);
  using namespace binade;
  if (argc != 2) return 2;
  app::PolicyDocument policy;
  app::RunDocument description;
  const app::EditRecovery recovery(&policy, &description, QString::fromLocal8Bit(argv[1]), 0);
  QObject::connect(&recovery, &app::EditRecovery::kept, &app, [] {
    std::puts("kept");
    std::fflush(stdout);
  });
  policy.setFormat({{"conv1", "", "aten::conv2d", "", 0}}, formats::kBFloat16);
  wire::RunConfig config;
  config.name = "mine";
  config.model = "sample:cnn";
  config.steps = -7;  // a description need not be one that can be started
  description.edit(QStringLiteral("edit"), config);
  return QCoreApplication::exec();
}
