// SPDX-License-Identifier: Apache-2.0
#include "tests/host/attach/training.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>

#include <memory>
#include <string>
#include <vector>

using namespace binade;

namespace {

int modeOf(const QString& path) {
  struct stat found {};
  return ::lstat(path.toLocal8Bit().constData(), &found) == 0 ? static_cast<int>(found.st_mode & 07777) : -1;
}

QString only(const QStringList& files, const QString& ending) {
  const QStringList found = files.filter(QRegularExpression(QRegularExpression::escape(ending) + QLatin1Char('$')));
  return found.size() == 1 ? found.front() : QString();
}

}  // namespace

/// The socket of a training, which only its user may use.
class Socket : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void itIsClosedToOthers();
  void itGoesWithItsTraining();
  void whatADeadProcessLeftIsRemoved();
  void aFolderThatOthersCouldUseIsRefused_data();
  void aFolderThatOthersCouldUseIsRefused();
  void withoutARuntimeFolderItLiesInTheCache();
  void aLongFolderFits();
  void aRuntimeFolderOfAnotherUserIsNotUsed();
  void anotherUserIsRefused();
  void anExplorerTooManyIsRefusedWithTheReason();
  void noAttachMakesNone();
};

void Socket::itIsClosedToOthers() {
  const test::AttachPlace place;
  test::Training training(place, {});
  QVERIFY2(training.hasBegun(), training.errors());
  const QStringList files = place.files();
  const QString socket = only(files, QStringLiteral(".sock"));
  const QString sign = only(files, QStringLiteral(".json"));
  QVERIFY2(!socket.isEmpty() && !sign.isEmpty() && files.size() == 2, qPrintable(files.join(QLatin1Char(' '))));
  QCOMPARE(modeOf(place.folder()), 0700);
  QCOMPARE(modeOf(place.folder() + QLatin1Char('/') + socket), 0600);
  QCOMPARE(modeOf(place.folder() + QLatin1Char('/') + sign), 0600);
  QVERIFY(socket.contains(QString::number(training.id())));
}

void Socket::itGoesWithItsTraining() {
  const test::AttachPlace place;
  test::Training training(place, {{QStringLiteral("steps"), 5}});
  QCOMPARE(training.end(), 0);
  QCOMPARE(place.files(), QStringList());
}

void Socket::whatADeadProcessLeftIsRemoved() {
  const test::AttachPlace place;
  {
    test::Training training(place, {});
    QVERIFY2(training.hasBegun(), training.errors());
    training.kill();
  }
  QCOMPARE(place.files().size(), 2);
  const QByteArray list = place.attach({QStringLiteral("--list")});
  QVERIFY2(list.contains("No training of this user runs on this computer"), list);
  QCOMPARE(place.files(), QStringList());
  // The next training finds what another one has left.
  {
    test::Training training(place, {});
    QVERIFY(training.hasBegun());
    training.kill();
  }
  test::Training next(place, {});
  QVERIFY(next.hasBegun());
  QCOMPARE(place.files().size(), 2);
}

void Socket::aFolderThatOthersCouldUseIsRefused_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QByteArray>("why");
  QTest::newRow("link") << QStringLiteral("link") << QByteArray("is a link or a file");
  QTest::newRow("file") << QStringLiteral("file") << QByteArray("is a link or a file");
  QTest::newRow("open") << QStringLiteral("open") << QByteArray("is open to other users");
  QTest::newRow("another's") << QStringLiteral("another's") << QByteArray("belongs to another user");
}

// A warning, and the training goes on.
void Socket::aFolderThatOthersCouldUseIsRefused() {
  QFETCH(QString, kind);
  QFETCH(QByteArray, why);
  if (kind == QLatin1String("another's") && ::geteuid() != 0) QSKIP("only root can give a folder to another user");
  const test::AttachPlace place;
  const QByteArray folder = place.folder().toLocal8Bit();
  if (kind == QLatin1String("link")) {
    const QByteArray other = folder + ".other";
    QVERIFY(::mkdir(other.constData(), 0700) == 0 && ::symlink(other.constData(), folder.constData()) == 0);
  } else if (kind == QLatin1String("file")) {
    QFile file(place.folder());
    QVERIFY(file.open(QIODevice::WriteOnly));
  } else {
    QVERIFY(::mkdir(folder.constData(), 0700) == 0);
    if (kind == QLatin1String("open")) QVERIFY(::chmod(folder.constData(), 0755) == 0);
    if (kind == QLatin1String("another's")) QVERIFY(::chown(folder.constData(), 65534, 65534) == 0);
  }
  test::Training training(place, {{QStringLiteral("steps"), 5}});
  QCOMPARE(training.end(), 0);
  const QByteArray errors = training.errors();
  QVERIFY2(errors.contains("No explorer can attach to this training"), errors);
  QVERIFY2(errors.contains(why), errors);
  const QByteArray list = place.attach({QStringLiteral("--list")});
  QVERIFY2(list.contains(why), list);
}

void Socket::withoutARuntimeFolderItLiesInTheCache() {
  test::AttachPlace place;
  place.setRuntime(QString());
  test::Training training(place, {});
  QVERIFY(training.hasBegun());
  const QString folder = place.variables().value(QStringLiteral("HOME")) + QStringLiteral("/.cache/binade/attach");
  QCOMPARE(modeOf(folder), 0700);
  const QByteArray list = place.attach({QStringLiteral("--list"), QStringLiteral("--json")});
  QVERIFY2(list.contains("\"process\":" + QByteArray::number(training.id())), list);
}

// As after `su`. A folder that root made there would lock its user out.
void Socket::aRuntimeFolderOfAnotherUserIsNotUsed() {
  if (::geteuid() != 0) QSKIP("only root can give a folder to another user");
  const test::AttachPlace place;
  QVERIFY(::chown(place.runtime().toLocal8Bit().constData(), 65534, 65534) == 0);
  test::Training training(place, {});
  QVERIFY2(training.hasBegun(), training.errors());
  QVERIFY(!QFile::exists(place.folder()));
  test::Bridged bridge(place, test::attachCommand());
  QVERIFY2(bridge.hello(), bridge.errors());
}

// The address of a Unix socket has 108 bytes.
void Socket::aLongFolderFits() {
  test::AttachPlace place;
  const QString folder = place.runtime() + QLatin1Char('/') + QString(200, QLatin1Char('x'));
  QVERIFY(QDir().mkdir(folder));
  place.setRuntime(folder);
  test::Training training(place, {});
  QVERIFY2(training.hasBegun(), training.errors());
  test::Bridged bridge(place, test::attachCommand());
  QVERIFY2(bridge.hello(), bridge.errors());
}

void Socket::anotherUserIsRefused() {
  if (::geteuid() != 0) QSKIP("only root can connect as another user");
  const test::AttachPlace place;
  test::Training training(place, {});
  QVERIFY(training.hasBegun());
  const QString name = only(place.files(), QStringLiteral(".sock"));
  const QByteArray folder = place.folder().toLocal8Bit();
  // Somebody has opened both, and the kernel's word remains.
  QVERIFY(::chmod(folder.constData(), 0711) == 0);
  QVERIFY(::chmod((folder + '/' + name.toLocal8Bit()).constData(), 0666) == 0);
  const int open = ::open(folder.constData(), O_PATH | O_DIRECTORY);
  const std::string file = name.toStdString();
  int ends[2];
  QVERIFY(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::string got = "not connected";
    if (::fchdir(open) == 0 && ::setgid(65534) == 0 && ::setuid(65534) == 0) {
      const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      file.copy(address.sun_path, sizeof(address.sun_path) - 1);
      if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
        char buffer[4096];
        got.clear();
        for (ssize_t count = 0; (count = ::read(socket, buffer, sizeof(buffer))) > 0;) {
          got.append(buffer, static_cast<std::size_t>(count));
        }
      }
    }
    ::_exit(::write(ends[1], got.data(), got.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  QByteArray got;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof(buffer))) > 0;) got.append(buffer, count);
  ::close(ends[0]);
  ::close(open);
  int status = 0;
  ::waitpid(child, &status, 0);
  QVERIFY2(got.contains("belongs to another user"), got);
  QVERIFY2(!got.contains("result"), got);  // and nothing else: it ended
  QVERIFY(QTest::qWaitFor(
      [&] {
        training.process.waitForReadyRead(50);
        return training.errors().contains("User 65534 tried to attach");
      },
      30000));
}

void Socket::anExplorerTooManyIsRefusedWithTheReason() {
  const test::AttachPlace place;
  test::Training training(place, {});
  QVERIFY(training.hasBegun());
  const auto connected = [&place] {
    const int folder = ::open(place.folder().toLocal8Bit().constData(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    const std::string file = only(place.files(), QStringLiteral(".sock")).toStdString();
    const std::string path = "/proc/self/fd/" + std::to_string(folder) + '/' + file;
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) qFatal("no connection");
    ::close(folder);
    return std::make_unique<test::Peer>(socket, socket);
  };
  constexpr int kMost = 16;
  std::vector<std::unique_ptr<test::Peer>> peers;
  for (int i = 0; i < kMost; ++i) {
    peers.push_back(connected());
    QVERIFY(peers.back()->sayHello());
  }
  const auto another = connected();
  const auto refused = test::failureIn(another->answer("engine.hello", wire::encode(wire::Hello{})));
  QVERIFY(refused && refused->message.find("16 explorers are attached") != std::string::npos);
  QVERIFY(!refused->hint.empty());
  // Others can still ask which training this is.
  const QByteArray list = place.attach({QStringLiteral("--list"), QStringLiteral("--json")});
  QVERIFY2(list.contains("\"explorers\":16"), list);
  peers.pop_back();
  QVERIFY(QTest::qWaitFor([&another] { return another->sayHello(); }, 30000));
}

void Socket::noAttachMakesNone() {
  const test::AttachPlace place;
  test::Training training(place, {}, {QStringLiteral("--no-attach")});
  QVERIFY(training.hasBegun());
  QVERIFY(!QFile::exists(place.folder()));
}

BINADE_SUITE(Socket);
#include "tst_socket.moc"
