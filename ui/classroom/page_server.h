// SPDX-License-Identifier: GPL-3.0-or-later
// Serves one page and one file over HTTP to the local network during its lifetime: GET and HEAD under a random path
// that only the code reveals, and nothing else. No request reaches the disk. Requests are limited in size, time and
// number, so that none costs more than its answer.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QUrl>
#include <QtNetwork/QHostAddress>
#include <QtNetwork/QTcpServer>

class QTcpSocket;

namespace lab {

class PageServer final : public QObject {
  Q_OBJECT

 public:
  static constexpr qint64 kMostRequestBytes = 8192;
  static constexpr int kMostConnections = 64;
  static constexpr int kAskMs = 10'000, kAnswerMs = 60'000;  // the time limit for a request, and for a request with its
                                                             // answer

  explicit PageServer(QObject* parent = nullptr);

  // Uses a free port. Returns false if the address is not available; see fault(). Called again: moves to another
  // address under the same path.
  bool listen(const QHostAddress& address);
  // `page` refers to the file by fileUrl().
  void setContent(const QByteArray& page, const QByteArray& file, const QString& fileName);
  QUrl url() const;  // the page's address
  QString fileUrl(const QString& fileName) const;
  QString fault() const { return server_.errorString(); }

 private:
  struct Answer {
    QByteArray status, type, body, more;
  };
  void accept();
  void read(QTcpSocket& socket);
  Answer answerTo(const QByteArray& method, const QByteArray& target) const;
  static void send(QTcpSocket& socket, const Answer& answer, bool withBody);

  QTcpServer server_;
  const QByteArray token_;
  QByteArray page_, file_, fileName_;
  int connections_ = 0;
};

}  // namespace lab
