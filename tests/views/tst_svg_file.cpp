// SPDX-License-Identifier: Apache-2.0
#include "tests/support/full_disk.h"
#include "tests/support/suite.h"
#include "views/svg_file.h"

#include <QFile>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

namespace {

using namespace binade;

bool saveLine(const QString& file) {
  return views::saveSvgFile(file, {0, 0, 10, 10}, QStringLiteral("A line"),
                            [](QPainter& painter) { painter.drawLine(0, 0, 10, 10); });
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class SvgFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // A file as short as this one reaches the disk in the last flush only.
  void aFullDiskLeavesTheShortFileBefore() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("line.svg"));
    QVERIFY(saveLine(path));
    const QByteArray before = contentOf(path);
    QVERIFY(before.contains("<svg") && before.size() < 4096);
    bool saved = true;
    {
      const test::FullDisk full(64);
      saved = saveLine(path);
    }
    QVERIFY(!saved);
    QCOMPARE(contentOf(path), before);
  }
};

BINADE_SUITE(SvgFiles);

}  // namespace

#include "tst_svg_file.moc"
