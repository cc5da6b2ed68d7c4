// SPDX-License-Identifier: Apache-2.0
// Pictures of every arrangement, taken by `--shots` of one recorded run, beside those in tests/data/pictures. Those
// hold the mean colour of each block of 10 x 10 pixels: enough for a part that moved, vanished or changed its colour,
// and the same for letters whose edges another version of FreeType draws a little differently. With
// BINADE_RENEW_PICTURES set, the suite writes them anew.
#include "app/window/arrangement.h"
#include "engine/record/run_writer.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_try.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace {

using namespace binade;

constexpr int kBlock = 10;       // pixels
constexpr int kTolerance = 10;   // of 255, for a block's mean
constexpr int kMostBlocks = 20;  // of the 16,000 of a window
constexpr int kRecordedSteps = 240;
constexpr int kEditedAt = 100;
constexpr int kProfiledSteps = 20;
constexpr qint64 kFixedTime = 1'790'000'000;  // seconds since 1970
const char kFonts[] = "/usr/share/fonts/truetype/dejavu";
constexpr std::array kFontFiles{"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf",
                                "DejaVuSansMono-Bold.ttf"};

bool isRenewing() {
  return !qEnvironmentVariableIsEmpty("BINADE_RENEW_PICTURES");
}

QString goldenFile(const QString& name) {
  return QStringLiteral(BINADE_TEST_DATA "/pictures/%1.png").arg(name);
}

// Full-size pictures, for a person.
QString seenFile(const QString& name) {
  return QDir::cleanPath(QStringLiteral(BINADE_BIN_DIR "/../pictures/%1.png").arg(name));
}

void makeNative(wire::PolicyApplied& applied) {
  for (policy::Decision& each : applied.decisions) each.execution = policy::Execution::kNative;
}

// What two ranks differ in: rank 1 takes a third longer.
void addRanks(wire::StepRecord& record) {
  for (int rank = 0; rank < 2; ++rank) {
    wire::RankFacts& facts = record.ranks.emplace_back();
    facts.rank = rank;
    facts.seconds = (rank == 0 ? 0.009 : 0.012) + 0.0002 * static_cast<double>(record.step % 5);
    facts.waited = rank == 0 ? 0.003 : 0.0001;
    facts.found_inf = rank == 1 && record.found_inf;
    facts.tensor = rank == 0 ? 42 : 31;
  }
}

// A made-up run with something to show in every dock, the same every time.
void writeRecordedRun(const QString& path, bool on_ranks = false) {
  test::FakeRun fake;
  wire::RunStarted started = fake.started();
  started.device = "NVIDIA L4 (made up)";
  makeNative(started.policy);
  if (on_ranks) started.ranks = {{0, "node-a", "NVIDIA L4 (made up)"}, {1, "node-b", "NVIDIA L4 (made up)"}};
  record::RunWriter writer(path.toStdString());
  writer.add(started);
  for (int i = 0; i < kRecordedSteps; ++i) {
    if (i == kEditedAt) {
      policy::Policy edited;
      edited.sites.push_back({.match = "layer1.0.conv1/aten::conv2d#0",
                              .call = {},
                              .format = formats::kBFloat16,
                              .backward = {},
                              .overflow = {},
                              .why = {}});
      wire::PolicyApplied applied = fake.setPolicy(edited, 1);
      makeNative(applied);
      writer.add(applied);
    }
    wire::StepRecord record = fake.next();
    if (on_ranks) addRanks(record);
    writer.add(record);
    if (fake.event() != nullptr) {
      wire::Event event = *fake.event();
      if (on_ranks) event.rank = 1;
      writer.add(event);
    }
    if (i % kProfiledSteps == kProfiledSteps - 1) writer.add(test::lifelikeProfile(i - kProfiledSteps + 1, i));
  }
  const std::int64_t last = kRecordedSteps - 1;
  writer.add(test::diagnosed(last, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
  writer.add(test::casts(0, 0));
  writer.add(test::casts(1, kEditedAt));
  writer.add(test::comparison(last));
  writer.add(test::silentReport());
  writer.add(test::fakeTrial());
  writer.add(wire::Note{kEditedAt, "bfloat16 from here on", kFixedTime});
  writer.add(wire::Evaluated{kRecordedSteps, 0.875, 0.3});
  writer.add(wire::Finished{wire::Outcome::kCompleted, kRecordedSteps, "", ""});
  writer.close();
}

// The environment of the one platform that is compared: the offscreen platform, the fonts of fonts-dejavu-core without
// hinting, the C locale. Returns nullopt if those fonts are not installed.
std::optional<QProcessEnvironment> pinnedPlatform(const QString& folder) {
  const QString fonts = folder + QStringLiteral("/fonts");
  QDir().mkpath(fonts);
  for (const char* name : kFontFiles) {
    const QString file = QString::fromLatin1(name);
    const QString source = QLatin1String(kFonts) + u'/' + file;
    if (!QFile::exists(source)) return std::nullopt;
    QFile::link(source, fonts + u'/' + file);
  }
  QFile settings(folder + QStringLiteral("/fonts.conf"));
  if (!settings.open(QIODevice::WriteOnly)) return std::nullopt;
  settings.write("<?xml version=\"1.0\"?><fontconfig><dir>" + fonts.toUtf8() + "</dir><cachedir>" + folder.toUtf8() +
                 "/cache</cachedir><match target=\"font\">"
                 "<edit name=\"hinting\" mode=\"assign\"><bool>false</bool></edit>"
                 "<edit name=\"rgba\" mode=\"assign\"><const>none</const></edit></match></fontconfig>");
  settings.close();
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "QT_STYLE_OVERRIDE",
                           "QT_QPA_PLATFORMTHEME", "LC_NUMERIC", "LC_TIME"})
    environment.remove(QLatin1String(name));
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  environment.insert(QStringLiteral("QT_QPA_FONTDIR"), fonts);  // of a platform plugin without fontconfig
  environment.insert(QStringLiteral("FONTCONFIG_FILE"), settings.fileName());
  environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
  environment.insert(QStringLiteral("TZ"), QStringLiteral("UTC"));
  environment.insert(QStringLiteral("BINADE_DOT"), QString());  // places boxes by itself, as on a machine without dot
  environment.insert(QStringLiteral("HOME"), folder);
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder);
  environment.insert(QStringLiteral("XDG_DATA_HOME"), folder);
  return environment;
}

// The mean colour of each block.
QImage blockMeans(const QImage& picture) {
  const QImage pixels = picture.convertToFormat(QImage::Format_RGB32);
  QImage means(pixels.width() / kBlock, pixels.height() / kBlock, QImage::Format_RGB32);
  for (int y = 0; y < means.height(); ++y) {
    for (int x = 0; x < means.width(); ++x) {
      int red = 0, green = 0, blue = 0;
      for (int i = 0; i < kBlock * kBlock; ++i) {
        const QRgb pixel = pixels.pixel(x * kBlock + i % kBlock, y * kBlock + i / kBlock);
        red += qRed(pixel);
        green += qGreen(pixel);
        blue += qBlue(pixel);
      }
      constexpr int kPixels = kBlock * kBlock;
      means.setPixel(x, y, qRgb(red / kPixels, green / kPixels, blue / kPixels));
    }
  }
  return means;
}

struct Difference {
  int blocks = 0;
  QRect where;  // in pixels of the picture
};

Difference differenceOf(const QImage& means, const QImage& golden) {
  if (means.size() != golden.size())
    return {means.width() * means.height(), QRect(QPoint(0, 0), means.size() * kBlock)};
  Difference found;
  for (int y = 0; y < means.height(); ++y) {
    for (int x = 0; x < means.width(); ++x) {
      const QRgb now = means.pixel(x, y);
      const QRgb before = golden.pixel(x, y);
      const int most = std::max({std::abs(qRed(now) - qRed(before)), std::abs(qGreen(now) - qGreen(before)),
                                 std::abs(qBlue(now) - qBlue(before))});
      if (most <= kTolerance) continue;
      ++found.blocks;
      found.where |= QRect(x * kBlock, y * kBlock, kBlock, kBlock);
    }
  }
  return found;
}

QString inWords(const QRect& rect) {
  return QStringLiteral("%1 x %2 pixels at (%3, %4)").arg(rect.width()).arg(rect.height()).arg(rect.x()).arg(rect.y());
}

class GoldenPictures : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    const QString folder = test::temporaryFolder();
    const auto platform = pinnedPlatform(folder);
    if (!platform) QSKIP("Pictures are compared with the fonts of Debian's fonts-dejavu-core only.");
    for (const QString& name : {QStringLiteral("recorded"), QStringLiteral("ranks")}) {
      const QString file = name + QStringLiteral(".binade");
      writeRecordedRun(folder + u'/' + file, name == QLatin1String("ranks"));
      QProcess process;
      process.setProcessEnvironment(*platform);
      process.setWorkingDirectory(folder);
      process.start(QStringLiteral(BINADE_BIN_DIR "/binade"),
                    {QStringLiteral("--shots"), QStringLiteral("pictures-") + name, file});
      QVERIFY(process.waitForFinished(240'000));
      QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    }
    taken_ = folder + QStringLiteral("/pictures-recorded");
    of_ranks_ = folder + QStringLiteral("/pictures-ranks");
  }

  // Their docks are there, and say something else than those of a run of one process.
  void aRunOnRanksHasPicturesOfThem() {
    for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
      const QImage ranks(of_ranks_ + QStringLiteral("/ranks-%1.png").arg(theme));
      const QImage profile(of_ranks_ + QStringLiteral("/profile-%1.png").arg(theme));
      QCOMPARE(ranks.size(), QSize(1600, 1000));
      QVERIFY(QDir().mkpath(QFileInfo(seenFile(QStringLiteral("ranks"))).path()));
      QVERIFY(ranks.save(seenFile(QStringLiteral("ranks-") + theme)));
      QVERIFY(differenceOf(blockMeans(ranks), blockMeans(profile)).blocks > kMostBlocks);
    }
    QVERIFY(QFile::exists(of_ranks_ + QStringLiteral("/dock-ranks.png")));
    QVERIFY(!QFile::exists(taken_ + QStringLiteral("/dock-ranks.png")));
    QVERIFY(!QFile::exists(taken_ + QStringLiteral("/ranks-light.png")));
  }

  void theComparisonFindsWhatAPersonSees() {
    const auto paint = [](int panel, bool line, int noise) {
      QImage image(600, 400, QImage::Format_RGB32);
      image.fill(QColor(246, 246, 248));
      QPainter painter(&image);
      painter.fillRect(panel, 50, 200, 300, QColor(200, 205, 214));
      if (line) painter.fillRect(250, 105, 300, 1, QColor(60, 90, 200));
      painter.end();
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          const int by = (x + y) % 2 == 0 ? noise : -noise;
          const QColor pixel = image.pixelColor(x, y);
          image.setPixelColor(x, y, QColor(pixel.red() + by, pixel.green() + by, pixel.blue() + by));
        }
      }
      return blockMeans(image);
    };
    const QImage golden = paint(20, true, 0);
    QCOMPARE(differenceOf(golden, golden).blocks, 0);
    QCOMPARE(differenceOf(paint(20, true, 6), golden).blocks, 0);
    const Difference line = differenceOf(paint(20, false, 0), golden);
    QVERIFY(line.blocks > kMostBlocks);
    QCOMPARE(line.where, QRect(250, 100, 300, 10));
    const Difference moved = differenceOf(paint(26, true, 0), golden);
    QVERIFY(moved.blocks > kMostBlocks);
    QCOMPARE(moved.where, QRect(20, 50, 210, 300));
    const Difference size = differenceOf(golden, QImage(3, 3, QImage::Format_RGB32));
    QVERIFY(size.blocks > kMostBlocks);
    QCOMPARE(size.where, QRect(0, 0, 600, 400));
  }

  void aRecordedRunLooksAsItDid_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSize>("size");
    constexpr QSize kWindow(1600, 1000);
    for (const app::Arrangement each : app::kArrangements) {
      for (const char* theme : {"light", "dark"}) {
        const QString name = QStringLiteral("%1-%2").arg(app::arrangementName(each), QLatin1String(theme));
        QTest::newRow(qPrintable(name)) << name << kWindow;
      }
    }
    const auto row = [](const char* name, QSize size) { QTest::newRow(name) << QString::fromLatin1(name) << size; };
    row("explore-step", kWindow);
    row("explore-double", kWindow * 2);
    row("tune-small", {1280, 800});
    row("diagnose-small", {1280, 800});
    row("start", kWindow);
  }

  void aRecordedRunLooksAsItDid() {
    QFETCH(const QString, name);
    QFETCH(const QSize, size);
    const QImage picture(taken_ + u'/' + name + QStringLiteral(".png"));
    QCOMPARE(picture.size(), size);
    const QImage means = blockMeans(picture);
    QVERIFY(QDir().mkpath(QFileInfo(seenFile(name)).path()));
    if (isRenewing()) {
      QVERIFY(QDir().mkpath(QFileInfo(goldenFile(name)).path()));
      QVERIFY(picture.save(seenFile(name)) && means.save(goldenFile(name)));
      QSKIP("The picture was written anew.");
    }
    QVERIFY2(QFile::exists(goldenFile(name)),
             qPrintable(
                 QStringLiteral("%1 is missing. docs/developing.md describes how to make it.").arg(goldenFile(name))));
    const Difference difference = differenceOf(means, QImage(goldenFile(name)).convertToFormat(QImage::Format_RGB32));
    if (difference.blocks <= kMostBlocks) return;
    QImage marked = picture.convertToFormat(QImage::Format_RGB32);
    QPainter painter(&marked);
    painter.setPen(QPen(Qt::red, 3));
    painter.drawRect(difference.where);
    painter.end();
    QVERIFY(marked.save(seenFile(name)));
    QFAIL(qPrintable(QStringLiteral("%1 blocks of %2 x %2 pixels differ from %3, within %4. They are marked in %5.")
                         .arg(difference.blocks)
                         .arg(kBlock)
                         .arg(goldenFile(name), inWords(difference.where), seenFile(name))));
  }

 private:
  QString taken_;     ///< folder of pictures
  QString of_ranks_;  ///< folder of pictures of a run on two ranks
};

BINADE_SUITE(GoldenPictures);

}  // namespace

#include "tst_golden_pictures.moc"
